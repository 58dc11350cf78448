import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, type Session } from './pages-hub.ts'

test("settings page lists the user's sessions and ends them", { timeout: 300_000 }, async () => {
  await using hub = await startPagesHub()
  const here = await hub.createAdmin()
  const signIn = () => hub.send(here, 'POST', '/api/collections/users/auth-with-password', { identity: ADMIN, password: PASSWORD })
  const elsewhere = (await signIn()) as Session // what signing in answers
  await signIn()
  await using page = await hub.openPage(here)
  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'Sessions', exact: true })
  await card.getByText('This one', { exact: true }).waitFor()
  assert.equal(await card.getByRole('listitem').count(), 3)
  await page.mouse.move(0, 0)
  await auditPage(page, 'settings-sessions')

  await using other = await hub.openPage(elsewhere)
  await other.goto('/settings')
  await other.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  await card.getByRole('button', { name: 'End all others' }).click()
  await card.getByRole('button', { name: 'End all others' }).waitFor({ state: 'detached' })
  assert.equal(await card.getByRole('listitem').count(), 1)
  await other.reload()
  await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor()

  await signIn()
  await page.reload()
  await card.getByRole('button', { name: /^End the session in/ }).click()
  await card.getByRole('button', { name: /^End the session in/ }).waitFor({ state: 'detached' })
  assert.equal(await card.getByRole('listitem').count(), 1)
  assert.deepEqual(hub.pageErrors, [])
})

test('session renewal with a truncated response does not sign the user out', { timeout: 300_000 }, async () => {
  await using hub = await startPagesHub()
  await using page = await hub.openPage(await hub.createAdmin())
  const isRenewal = (url: URL) => url.pathname === '/api/collections/users/auth-refresh'
  // The SDK sees such a response when a reload or a broken connection truncates it.
  await page.route(isRenewal, (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"token":"' }))
  // A refused request makes the page renew its session.
  await page.route('**/api/account/sessions*', (route) => route.fulfill({ status: 404, json: { status: 404, message: 'Gone.', data: {} } }))
  const renewed = page.waitForResponse((response) => isRenewal(new URL(response.url())))
  await page.goto('/settings')
  await (await renewed).finished()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  assert.deepEqual(hub.pageErrors, [])
})
