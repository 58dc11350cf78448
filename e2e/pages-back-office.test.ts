import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const READER = 'reader@example.com'

/** Pages for admins, opened by their URLs. */
describe('the back-office', { timeout: 16 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let reader: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    reader = await hub.createUser(READER, 'readonly')
    for (const name of ['north', 'south', 'west']) await hub.addSystem(admin, { name, port: await freePort() })
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await hub[Symbol.asyncDispose]()
  })

  const open = async (hash: string, session = admin) => {
    const page = await hub.openPage(session)
    await page.goto(`/_/${hash}`)
    return page
  }

  test('§2 user menu: its links lead to pages of admins', async () => {
    await using page = await open('')
    for (const [hash, heading] of [
      ['', 'Users'],
      ['#/collections?collection=systems', 'Systems'],
      ['#/logs', 'Logs'],
      ['#/settings/backups', 'Backups'],
      ['#/settings/auth-providers', 'Auth providers'],
      ['#/settings/mail', 'Mail and settings'],
    ] as const) {
      await page.goto(`/_/${hash}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
    await page.goto('/_/#/nowhere')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.goto('/_')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })

  test('back-office shows nothing to a user without admin role, and a sign-in form to a guest', async () => {
    await using page = await open('', reader)
    await page.getByRole('heading', { name: 'For admins only' }).waitFor()
    await using stranger = await hub.openPage()
    await stranger.goto('/_/#/audit')
    await stranger.getByLabel('Email').fill(ADMIN)
    await stranger.getByLabel('Password').fill(PASSWORD)
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  })

  test('tags of a system are edited in the tag field, and the reason for which one stays is German', async () => {
    const path = '/api/collections/tag_rules/records'
    await using events = await streamedEvents(hub.address, admin.token, ['systems/*'])
    const tagged = events.next((event) => event.includes('"ruled"'))
    await hub.send(admin, 'POST', path, { tag: 'ruled', filter: 'name = "west"' })
    await tagged
    await using page = await hub.openPage(admin, { locale: 'de-DE' })
    await page.goto('/_/#/collections?collection=systems')
    const row = page.getByRole('row').filter({ hasText: 'west' })
    await row.getByRole('button', { name: 'west' }).click()
    const form = page.getByRole('dialog')
    const tags = form.getByRole('textbox', { name: 'tags', exact: true })
    await tags.fill('env=prod')
    await tags.press('Enter')
    await form.getByRole('list', { name: 'tags' }).getByText('env=prod').waitFor()
    assert.equal(await form.getByLabel(/tagSources|accessTags/).count(), 0, 'the hub computes these fields')
    await tags.fill('typed')
    await auditPage(page, 'tags of a system in the back-office')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await form.waitFor({ state: 'detached' })
    await row.getByRole('button', { name: 'west' }).click()
    await form.getByRole('list', { name: 'tags' }).getByText('typed').waitFor()
    await form.getByRole('button', { name: 'Den Tag ruled entfernen' }).click()
    await form.getByRole('button', { name: 'Speichern' }).click()
    await form.getByText('Der Tag "ruled" bleibt, weil er weitere Quellen hat: Regel').waitFor()
  })

  test('user record is added, refused, changed and deleted; the last admin cannot be deleted', async () => {
    await using page = await open('')
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('email *', { exact: true }).fill('no address')
    await form.getByLabel('password *').fill('long enough for anybody')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter an email address').waitFor()
    await form.getByLabel('email *', { exact: true }).fill('new@example.com')
    await form.getByLabel('role').click()
    await page.getByRole('option', { name: 'readonly', exact: true }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'new@example.com' })
    await row.getByText('readonly').waitFor()
    await row.getByRole('button', { name: 'new@example.com' }).click()
    await form.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })

    await page.getByRole('row').filter({ hasText: ADMIN }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('3 of their systems are shared with nobody else').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.getByRole('alert').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row').filter({ hasText: ADMIN }).waitFor()
  })

  test("confirmation of a user's deletion says that the user's systems could not be read", async () => {
    await using page = await open('')
    const isSystems = (url: URL) => url.pathname === '/api/collections/systems/records'
    await page.route(isSystems, (route) => route.fulfill({ status: 400, json: { status: 400, message: 'Not now.', data: {} } }))
    await page.getByRole('row').filter({ hasText: ADMIN }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('alert').filter({ hasText: 'Not now.' }).waitFor()
    await page.unroute(isSystems)
    await question.getByRole('button', { name: 'Try again' }).click()
    await question.getByText('3 of their systems are shared with nobody else').waitFor()
  })

  test('collection is filtered, sorted and exported as in the address; an invalid filter is marked at its error', async () => {
    await using page = await open('#/collections?collection=systems&sort=-name&columns=name,port')
    await page.locator('tbody button').first().waitFor()
    assert.deepEqual(await page.locator('tbody button').allTextContents(), ['west', 'south', 'north'])
    await page.getByRole('searchbox', { name: 'Filter' }).fill('name ~ "outh"')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record', { exact: true }).waitFor()
    assert.match(page.url(), /filter=name/)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    assert.equal((await saved).suggestedFilename(), 'systems.csv')
    await page.getByRole('searchbox', { name: 'Filter' }).fill('name ~~ (')
    await page.getByRole('button', { name: 'Apply' }).click()
    const told = page.getByRole('alert').filter({ hasText: 'It stops at character 7.' })
    await told.waitFor()
    assert.equal(await told.locator('mark').textContent(), '~')
  })

  test("invalid settings are refused at their fields, and a test message shows the server's error", async () => {
    await using page = await open('#/settings/mail')
    const server = page.getByRole('region', { name: 'Mail server' })
    await server.getByRole('switch', { name: /Send mail/ }).click()
    await server.getByLabel('Port').fill('70000')
    await server.getByRole('button', { name: 'Save' }).click()
    await server.getByText('Must be a whole number from 1 to 65535.').waitFor()
    const test_ = page.getByRole('region', { name: 'Test message' })
    await test_.getByRole('button').click()
    await test_.getByRole('alert').getByText('This hub sends no mail.').waitFor()
    const history = page.getByRole('region', { name: 'History' })
    await history.getByLabel('Days of every minute').fill('30')
    await history.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await using audit = await open('#/audit')
    await audit.getByText('update · retention').waitFor()
    assert.match((await audit.locator('time').first().textContent()) ?? '', /^[A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d/)
  })

  test('backup is created, verified and deleted', async () => {
    await using page = await open('#/settings/backups')
    await page.getByText('There is no backup yet.').waitFor()
    await page.getByRole('button', { name: 'Make a backup' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('wrong words')
    await dialog.getByRole('button', { name: 'Make a backup' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Make a backup' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/ · [A-Z][a-z]{2} \d+, 20\d\d, \d+:\d\d/).waitFor()
    await page.getByRole('button', { name: /^Check:/ }).click()
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('Everything can be read.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: /^Delete:/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There is no backup yet.').waitFor()
  })

  test('auth providers are changed; a provider without a secret is refused at its field', async () => {
    await using page = await open('#/settings/auth-providers')
    await page.getByRole('button', { name: 'Add github' }).click()
    const provider = page.getByRole('region', { name: 'github' })
    await provider.getByLabel('Client id').fill('id')
    await provider.getByRole('button', { name: 'Save' }).click()
    await provider.getByText('Cannot be blank').waitFor()
    await provider.getByLabel('Client secret').fill('secret')
    await provider.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'github' }).getByLabel('Client id').waitFor()
  })

  test('auth provider is tested as saved, and its error is shown', async (t) => {
    const answers = ['incorrect_client_credentials', 'bad_verification_code']
    const gitHub = createServer((_, answer) => answer.end(JSON.stringify({ error: answers.shift(), error_description: 'As it says.' })))
    await once(gitHub.listen(0, '127.0.0.1'), 'listening')
    t.after(() => gitHub.close())
    const address = gitHub.address()
    assert.ok(address !== null && typeof address === 'object')
    await using page = await open('#/settings/auth-providers')
    const provider = page.getByRole('region', { name: 'github' })
    await provider.getByLabel('Address of the provider').fill(`http://127.0.0.1:${address.port}`)
    assert.equal(await provider.getByRole('button', { name: 'Test this provider' }).isDisabled(), true)
    await provider.getByRole('button', { name: 'Save' }).click()
    await provider.getByRole('button', { name: 'Test this provider' }).click()
    await provider.getByText('refuses this hub').getByText('incorrect_client_credentials: As it says.').waitFor()
    await provider.getByRole('button', { name: 'Test this provider' }).click()
    await provider.getByText('knows this hub').getByText('bad_verification_code').waitFor()
    gitHub.closeAllConnections()
    gitHub.close()
    await provider.getByRole('button', { name: 'Test this provider' }).click()
    await provider.getByText(/ECONNREFUSED/).waitFor()
  })

  test('health page shows measurements since the start of the hub, in charts of any time range', async () => {
    await using page = await open('#/health')
    const memory = page.getByRole('region', { name: 'Memory' })
    await memory.getByRole('img', { name: /^Memory: Resident [\d.]+ MB, In use [\d.]+ MB/ }).waitFor()
    await page.getByRole('region', { name: 'Connected agents' }).getByText('0').first().waitFor()
    await page.getByRole('button', { name: /the last thirty days/ }).click()
    await page.waitForURL(/span=30d/)
    await memory.getByRole('img').waitFor()
    await page.reload()
    await page.getByRole('button', { name: /the last thirty days/, pressed: true }).waitFor()
  })

  test('rate limits and trusted proxies are set; an invalid rule is refused at its line', async () => {
    await using page = await open('#/settings/mail')
    const limits = page.getByRole('region', { name: 'Rate limits' })
    const rules = limits.getByLabel('Rules')
    await rules.fill('*:auth 2/3s\n/api/ often')
    await limits.getByRole('button', { name: 'Save' }).click()
    await limits.getByText(/^Line 2: Must be a path/).waitFor()
    await rules.fill('*:auth 20/3s\nPOST /api/batch 3/1s @guest')
    await limits.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const proxies = page.getByRole('region', { name: 'Trusted proxies' })
    await proxies.getByText('127.0.0.1').waitFor()
    await proxies.getByLabel('Headers', { exact: true }).fill('X-Real-IP')
    await proxies.getByRole('button', { name: 'Save' }).click()
    await proxies.getByText('Cannot be blank').waitFor()
    await proxies.getByLabel('Proxies', { exact: true }).fill('10.0.0.0/8')
    // The page hides the errors as soon as it sends the request.
    const stored = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/settings'))
    await proxies.getByRole('button', { name: 'Save' }).click()
    await proxies.getByText('Cannot be blank').waitFor({ state: 'hidden' })
    await stored
    await page.reload()
    assert.equal(await limits.getByLabel('Rules').inputValue(), '*:auth 20/3s\nPOST /api/batch 3/1s @guest')
    assert.equal(await proxies.getByLabel('Headers', { exact: true }).inputValue(), 'X-Real-IP')
  })

  test('back-office pages are accessible in both themes at every width', async () => {
    await using page = await open('')
    for (const [hash, heading] of [
      ['#/collections?collection=users', 'Users'],
      ['#/collections?collection=systems', 'Systems'],
      ['#/settings/backups', 'Backups'],
      ['#/settings/auth-providers', 'Auth providers'],
      ['#/settings/mail', 'Mail and settings'],
      ['#/audit', 'Audit'],
      ['#/health', 'Health of the hub'],
      ['#/logs', 'Logs'],
    ] as const) {
      await page.goto(`/_/${hash}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await auditPage(page, hash)
    }
    await page.goto('/_/#/collections?collection=users&recordId=new')
    await page.getByRole('dialog').waitFor()
    await auditPage(page, 'the form of a record')
  })

  test('restore brings back the state of the backup on the same page', async () => {
    await using page = await open('#/settings/backups')
    await page.getByRole('button', { name: 'Make a backup' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Make a backup' }).click()
    await dialog.waitFor({ state: 'detached' })
    await hub.addSystem(admin, { name: 'later', port: await freePort() })
    await page.getByRole('button', { name: /^Restore:/ }).click()
    const warning = page.getByRole('alertdialog')
    await warning.getByText(/^Replaces accounts, systems, history and settings/).waitFor()
    await warning.getByLabel('Your password').fill(PASSWORD)
    await warning.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(/then restarts/).waitFor()
    // The restore ended all sessions. The page shows the sign-in as soon as the hub responds again.
    await page.getByLabel('Email').fill(ADMIN)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor()
    await page.goto('/_/#/audit')
    await page.getByText('restore · backups').waitFor()
    await page.goto('/_/#/collections?collection=systems')
    await page.getByText('north').first().waitFor()
    assert.equal(await page.getByText('later', { exact: true }).count(), 0)
  })
})
