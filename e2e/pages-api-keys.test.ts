import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../tools/free-port.ts'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub } from './pages-hub.ts'

const statusOf = async (address: string, key: string): Promise<number> => {
  const response = await fetch(`${address}/api/collections/systems/records`, { headers: { authorization: `Bearer ${key}` } })
  await response.body?.cancel()
  return response.status
}

test(
  'settings page creates an API key by keyboard, shows it once, lists it with its last use and revokes it',
  { timeout: 300_000 },
  async () => {
    await using hub = await startPagesHub()
    await using page = await hub.openPage(await hub.createAdmin(), { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/settings#api-keys')
    const card = page.getByRole('region', { name: 'API keys', exact: true })
    await card.getByText('You have no API keys.').waitFor()
    await card.getByRole('button', { name: 'Create API key' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await auditPage(page, 'settings-create-key')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).and(page.locator('[aria-invalid=true]')).waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Prometheus')
    await page.keyboard.press('Enter')
    const created = page.getByRole('dialog', { name: 'API key created' })
    const field = created.getByRole('textbox', { name: 'API key' })
    const key = await field.inputValue()
    assert.match(key, /^vdt_[0-9a-z]{50}$/)
    await auditPage(page, 'settings-created-key')
    await created.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied to clipboard').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    await created.getByRole('button', { name: 'Close', exact: true }).last().click()
    await created.waitFor({ state: 'detached' })
    const row = card.getByRole('listitem')
    await row.getByText('Prometheus', { exact: true }).waitFor()
    assert.match((await row.textContent()) ?? '', /Read · expires .* · never used/)
    assert.ok(!(await page.content()).includes(key))

    assert.equal(await statusOf(hub.address, key), 200)
    await page.reload()
    await row.getByText(/last used/).waitFor()
    await auditPage(page, 'settings-api-keys')

    await row.getByRole('button', { name: 'Revoke Prometheus' }).click()
    const question = page.getByRole('alertdialog', { name: 'Revoke Prometheus?' })
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    assert.equal(await statusOf(hub.address, key), 200)
    await row.getByRole('button', { name: 'Revoke Prometheus' }).click()
    await question.getByRole('button', { name: 'Revoke', exact: true }).click()
    await card.getByText('You have no API keys.').waitFor()
    assert.equal(await statusOf(hub.address, key), 401)
    assert.deepEqual(hub.pageErrors, [])
  },
)

test('card of API keys offers read-only accounts one scope, and shows errors of the hub in German', { timeout: 300_000 }, async () => {
  await using hub = await startPagesHub()
  await hub.createAdmin()
  const session = await hub.createUser('rita@example.com', 'readonly')
  await using page = await hub.openPage(session, { locale: 'de-DE' })
  await page.route('**/api/account/api-keys', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ status: 500, json: { status: 500, message: 'Down.', data: {} } })
      : route.continue(),
  )
  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'API-Schlüssel', exact: true })
  const retry = card.getByRole('button', { name: 'Erneut versuchen' })
  await retry.waitFor()
  await page.unroute('**/api/account/api-keys')
  await retry.click()
  await card.getByText('Du hast keine API-Schlüssel.').waitFor()
  await card.getByRole('button', { name: 'API-Schlüssel erstellen' }).click()
  const dialog = page.getByRole('dialog', { name: 'API-Schlüssel erstellen' })
  await dialog.getByRole('combobox', { name: 'Umfang' }).click()
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['Lesen'])
  await page.keyboard.press('Escape')
  await page.route('**/api/account/api-keys', (route) =>
    route.fulfill({ status: 403, json: { status: 403, message: 'Not allowed here.', data: {} } }),
  )
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Skript')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  assert.deepEqual(hub.pageErrors, [])
})

test('API key gets tags: a limit for reading and writing, tags of the enrolled systems for agents', { timeout: 300_000 }, async () => {
  await using hub = await startPagesHub()
  const admin = await hub.createAdmin()
  const ids = new Map<string, string>()
  for (const name of ['north', 'south']) ids.set(name, await hub.addSystem(admin, { name, port: await freePort() }))
  const records = '/api/collections/systems/records'
  await hub.send(admin, 'PATCH', `${records}/${ids.get('north') ?? ''}`, { 'tags+': ['env=prod'] })
  await using page = await hub.openPage(admin)
  await page.goto('/settings#api-keys')
  const card = page.getByRole('region', { name: 'API keys', exact: true })
  const dialog = page.getByRole('dialog', { name: 'Create API key' })
  await card.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByText('The key then reaches only systems with one of these tags.').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Limited')
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('a"b')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await dialog.locator('input[name=tags][aria-invalid=true]').waitFor()
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('')
  await dialog.getByRole('button', { name: 'env=prod' }).click()
  await auditPage(page, 'settings-create-key-with-tags')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  const created = page.getByRole('dialog', { name: 'API key created' })
  const key = await created.getByRole('textbox', { name: 'API key' }).inputValue()
  const systems = (await hub.send({ token: key, record: admin.record }, 'GET', records)) as { readonly items: readonly { name: string }[] }
  assert.deepEqual(
    systems.items.map(({ name }) => name),
    ['north'],
  )
  await created.getByRole('button', { name: 'Close', exact: true }).last().click()
  await card.getByRole('listitem').filter({ hasText: 'Limited' }).getByText('Only systems with').waitFor()

  await card.getByRole('button', { name: 'Create API key' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Rack')
  await choose(page, 'Scope', 'Enrol agents')
  await dialog.getByText('the key itself is not limited by them').waitFor()
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('rack=4')
  await dialog.getByRole('textbox', { name: 'Tags' }).press('Enter')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await created.getByRole('button', { name: 'Close', exact: true }).last().click()
  await card.getByRole('listitem').filter({ hasText: 'Rack' }).getByText('Enrolled systems get').waitFor()
  await card.getByText('rack=4').waitFor()
  assert.deepEqual(hub.pageErrors, [])
})
