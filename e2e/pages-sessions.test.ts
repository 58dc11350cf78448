import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, type Session } from './pages-hub.ts'

test('the settings list where one is signed in, and end it', { timeout: 180_000 }, async () => {
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
