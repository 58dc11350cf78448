import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ConsoleMessage, Dialog, Page, Request } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { followedTopics, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { freePort } from '../tools/free-port.ts'

const RECORDS = '/api/collections/systems/records'

/** All Systems, and the actions on systems that it offers. */
describe('All Systems', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  const openFleet = async () => {
    const page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByText('live', { exact: true }).waitFor()
    return page
  }
  const openAddDialog = async (page: Page) => {
    await page.getByRole('banner').getByRole('button', { name: 'Add System' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('[value^=ssh-ed25519]').waitFor()
    return dialog
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
  })

  after(() => hub[Symbol.asyncDispose]())

  test('§2 dashboard: title, hint, footer, and the default icon while there are no systems', async () => {
    await using page = await openFleet()
    assert.equal(await page.title(), 'Dashboard / Vedette')
    await page.getByText('Updated in real time. Press Cmd/Ctrl + K to open the command palette.').waitFor()
    const project = 'https://github.com/vedette-monitor/vedette'
    assert.equal(await page.getByRole('link', { name: 'Source' }).getAttribute('href'), project)
    assert.equal(await page.getByRole('link', { name: 'Releases' }).getAttribute('href'), `${project}/releases`)
    await page.getByText(/^Vedette \d+\.\d+\.\d+$/).waitFor()
    assert.equal(await page.locator('link[rel=icon]').getAttribute('href'), '/static/favicon.svg')
  })

  test('§4 real-time: All Systems follows all systems and alerts, a system’s page only that one and notes, and each stops when left', async () => {
    const id = await hub.addSystem(admin, { name: 'followed', port: await freePort() })
    await using page = await hub.openPage(admin)
    const following = (topics: string) => page.waitForRequest((request) => String(followedTopics(request)) === topics)
    const all = following('alerts/*,systems/*')
    await page.goto('/')
    await all
    const one = following(`system_fields/*,system_notes/*,systems/${id}`)
    await page.getByRole('link', { name: 'followed', exact: true }).click()
    await one
    const allAgain = following('alerts/*,systems/*')
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await allAgain
    await hub.send(admin, 'DELETE', `${RECORDS}/${id}`)
  })

  test('§4 real-time: a system that is created, changed or deleted elsewhere appears, changes and goes', async () => {
    await using page = await openFleet()
    const id = await hub.addSystem(admin, { name: 'meanwhile', port: await freePort() })
    await rowOf(page, 'meanwhile').waitFor()
    await hub.send(admin, 'PATCH', `${RECORDS}/${id}`, { name: 'renamed' })
    await rowOf(page, 'renamed').waitFor()
    assert.equal(await rowOf(page, 'meanwhile').count(), 0)
    await hub.send(admin, 'DELETE', `${RECORDS}/${id}`)
    await page.getByRole('heading', { name: 'No systems yet' }).waitFor()
  })

  test('§4 real-time: an older list does not undo a change whose event arrived while the list was read', async () => {
    const id = await hub.addSystem(admin, { name: 'overtaken', port: await freePort() })
    await using page = await openFleet()
    await rowOf(page, 'overtaken').waitFor()
    const [read, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The hub's own response, delayed until a later change arrived. A hub cannot be made to respond that late.
    await page.route('**/api/collections/systems/records?*', async (route) => {
      const response = await route.fetch()
      read.resolve()
      await told.promise
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Menu of overtaken' }).click()
    await page.getByRole('menuitem', { name: 'Pause', exact: true }).click()
    await read.promise
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { name: 'newer' })
    await rowOf(page, 'newer').waitFor()
    const answered = page.waitForResponse((response) => response.url().includes('/api/collections/systems/records?'))
    told.resolve()
    await (await answered).finished()
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    assert.equal(await rowOf(page, 'overtaken').count(), 0)
    assert.equal(await rowOf(page, 'newer').count(), 1)
    await hub.send(admin, 'DELETE', `/api/collections/systems/records/${id}`)
  })

  test('§5 Add System: name, host and port are required, the key is read-only, and bad values are said beside their fields', async () => {
    await using page = await openFleet()
    const dialog = await openAddDialog(page)
    const problemOf = async (label: string) => {
      const field = dialog.getByLabel(label, { exact: true })
      const note = await field.getAttribute('aria-describedby')
      return note === null ? undefined : dialog.locator(`[id="${note}"]`).textContent()
    }
    const problems = async () => [await problemOf('Name'), await problemOf('Host / IP'), await problemOf('Port')]
    const submit = () => dialog.getByRole('button', { name: 'Add System' }).click()
    for (const label of ['Name', 'Host / IP', 'Port', 'Public Key']) {
      assert.notEqual(await dialog.getByLabel(label, { exact: true }).getAttribute('required'), null, label)
    }
    assert.equal(await dialog.getByLabel('Public Key', { exact: true }).getAttribute('readonly'), '')
    assert.equal(await dialog.getByLabel('Port').inputValue(), '45876')
    await dialog.getByLabel('Port').fill('')
    await submit()
    assert.deepEqual(await problems(), ['Cannot be blank', 'Cannot be blank', 'Cannot be blank'])
    await dialog.getByLabel('Name').fill('x'.repeat(256))
    await dialog.getByLabel('Host').fill('two words')
    await dialog.getByLabel('Port').fill('65536')
    assert.deepEqual(await problems(), ['At most 255 characters', 'A host name or address has no spaces', 'A whole number from 1 to 65535'])
    await dialog.getByLabel('Name').fill('x')
    await dialog.getByLabel('Host').fill('host.example.org')
    await dialog.getByLabel('Port').fill('65535')
    assert.deepEqual(await problems(), [undefined, undefined, undefined])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('§9 compose text: exactly this is copied, and §8 said for a moment', async () => {
    await using page = await openFleet()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const dialog = await openAddDialog(page)
    await dialog.getByLabel('Port').fill('45999')
    const key = await dialog.getByLabel('Public Key', { exact: true }).inputValue()
    assert.match(key, /^ssh-ed25519 [A-Za-z0-9+/=]+$/)
    await page.clock.install()
    await dialog.getByRole('button', { name: 'Copy docker compose' }).click()
    const toast = page.getByText('Copied to clipboard', { exact: true }).first()
    await toast.waitFor()
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      `services:
  vedette-agent:
    image: "vedette-monitor/vedette-agent"
    container_name: "vedette-agent"
    restart: unless-stopped
    network_mode: host
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock:ro
    environment:
      PORT: 45999
      KEY: "${key}"
      # FILESYSTEM: /dev/sda1 # device or partition whose disk I/O is measured`,
    )
    await page.clock.fastForward(1_500)
    await toast.waitFor({ state: 'detached' })
    for (const [way, piece, line] of [
      ['One file', 'Installation', `KEY="${key}" PORT=45999 node vedette-agent.mjs`],
      ['systemd service', 'Installation', ` KEY='${key}' PORT=45999)`],
      ['systemd service', 'Uninstall', 'systemctl disable --now vedette-agent'],
    ] as const) {
      await dialog.getByRole('button', { name: way }).click()
      await dialog.getByRole('button', { name: `Copy: ${piece}` }).click()
      await toast.waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      assert.ok(copied.includes(line), copied)
    }
    await auditPage(page, 'ways to install an agent')
  })

  test('§8 clipboard: where it is forbidden, a prompt shows the text and says why', async () => {
    await using page = await openFleet()
    const dialog = await openAddDialog(page)
    const key = await dialog.getByLabel('Public Key', { exact: true }).inputValue()
    const prompted = new Promise<Dialog>((resolve) => page.once('dialog', resolve))
    const pressed = dialog.getByRole('button', { name: 'Copy the public key' }).click()
    const prompt = await prompted
    assert.equal(prompt.type(), 'prompt')
    assert.match(prompt.message(), /secure context/)
    assert.equal(prompt.defaultValue(), key)
    await prompt.dismiss()
    await pressed
  })

  test('§8 create system fails: closed, logged, said, and opened again with what was typed', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/no/such/page')
    const dialog = await openAddDialog(page)
    await dialog.getByLabel('Name').fill('second thought')
    await dialog.getByLabel('Host').fill('127.0.0.1')
    await dialog.getByLabel('Port').fill(String(await freePort()))
    // The test removes a required field from the request, so that the hub really refuses it.
    await page.route(`**${RECORDS}*`, (route) =>
      route.request().method() === 'POST' ? route.continue({ postData: '{"name":"second thought","port":"1"}' }) : route.continue(),
    )
    const logged = new Promise<ConsoleMessage>((resolve) =>
      page.on('console', (message) => message.type() === 'error' && message.text().includes('RequestFailed') && resolve(message)),
    )
    await dialog.getByRole('button', { name: 'Add System' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL((url) => url.pathname === '/')
    await logged
    const toast = page.getByRole('listitem').filter({ hasText: 'Cannot add "second thought"' })
    assert.match((await toast.getAttribute('class')) ?? '', /border-crit/)
    await page.unroute(`**${RECORDS}*`)
    await toast.getByRole('button', { name: 'Open again' }).click()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'second thought')
    await dialog.getByText('Cannot be blank').first().waitFor()
    const created = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(RECORDS))
    await dialog.getByRole('button', { name: 'Add System' }).click()
    const sent = (await created).postDataJSON() as Readonly<Record<string, string>> // the request's body is an object of texts
    assert.deepEqual(Object.keys(sent).toSorted(), ['host', 'name', 'port', 'users'])
    assert.deepEqual([sent['name'], sent['host'], sent['users']], ['second thought', '127.0.0.1', admin.record.id])
    await rowOf(page, 'second thought').waitFor()
  })

  test('§7 calls: systems by name in batches of 500, four fields of alerts, getkey with an empty body, the token with each', async () => {
    await using page = await hub.openPage(admin)
    const asked = [RECORDS, '/api/collections/alerts/records', '/api/beszel/getkey'].map((path) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === path),
    )
    await page.goto('/')
    const [systems, alerts, identity] = await Promise.all(asked)
    assert.deepEqual(queryOf(systems), { page: '1', perPage: '500', skipTotal: '1', sort: '+name' })
    assert.equal(queryOf(alerts)['fields'], 'id,name,system,value')
    assert.deepEqual([identity?.method(), identity?.postData()], ['POST', null])
    for (const request of [systems, alerts, identity]) assert.equal((await request?.allHeaders())?.['authorization'], admin.token)
  })

  test('§2 dashboard: the filter narrows the table, and stands in the address', async () => {
    await hub.addSystem(admin, { name: 'harbour', port: await freePort() })
    await using page = await openFleet()
    await rowOf(page, 'harbour').waitFor()
    const filter = page.getByPlaceholder('Filter...')
    await filter.fill('THOUGHT')
    await rowOf(page, 'harbour').waitFor({ state: 'detached' })
    assert.equal(await rowOf(page, 'second thought').count(), 1)
    await page.waitForURL(/filter=THOUGHT/)
    await filter.fill('no such name')
    await page.getByText('No system matches "no such name"').waitFor()
  })

  test('filter matches the health of systems', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/?filter=status:down')
    const rows = page.locator('[data-health]')
    await rows.first().waitFor()
    const states = await rows.evaluateAll((found) => found.map((row) => row.getAttribute('data-health')))
    assert.deepEqual([...new Set(states)], ['down'])
  })

  test('§2 navigation: a row is a link, and a modified click on it is the browser’s', async () => {
    await using page = await openFleet()
    // Rows keep their places from here on.
    await rowOf(page, 'harbour').locator('[data-status=down]').waitFor()
    await page.locator('[data-health=pending]').first().waitFor({ state: 'detached' })
    const link = page.getByRole('link', { name: 'harbour', exact: true })
    assert.equal(await link.getAttribute('href'), '/system/harbour')
    const { opened } = await expectTab(page, `${hub.address}/system/harbour`)
    await link.click({ modifiers: ['Control'] })
    await opened
    assert.equal(new URL(page.url()).pathname, '/')
  })

  test('§2 navigation: a row opens its page without loading another document; a link that is not one of the pages’ own does load one', async () => {
    await using page = await openFleet()
    const isSameDocument = () => page.evaluate<boolean>('window.isSame === true')
    await page.evaluate('window.isSame = true')
    await page.getByRole('link', { name: 'harbour', exact: true }).click()
    await page.getByRole('heading', { name: 'harbour' }).waitFor()
    assert.equal(await isSameDocument(), true)
    await page.evaluate(`void (() => {
      const link = document.createElement('a')
      link.href = '/forgot-password'
      link.textContent = 'a stranger'
      document.querySelector('main').prepend(link)
    })()`)
    await page.getByRole('link', { name: 'a stranger' }).click()
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    assert.equal(await isSameDocument(), false)
  })

  test('row menu pauses, resumes, edits, and deletes a system after a confirmation', async () => {
    const agent = await hub.startAgent('harbour')
    await using page = await openFleet()
    const choose = async (entry: string) => {
      await page.getByRole('button', { name: 'Menu of harbour' }).click()
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
    }
    const status = (health: string) => rowOf(page, 'harbour').locator(`[data-status=${health}]`)
    await choose('Edit')
    await page.getByRole('dialog').getByLabel('Port').fill(String(agent.port))
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await status('up').waitFor()
    await choose('Pause')
    await status('paused').waitFor()
    await choose('Resume')
    await status('up').waitFor()
    await choose('Delete')
    await page.getByRole('alertdialog', { name: 'Delete "harbour"?' }).getByRole('button', { name: 'Delete' }).click()
    await rowOf(page, 'harbour').waitFor({ state: 'detached' })
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})

const queryOf = (request: Request | undefined) => Object.fromEntries(new URL(request?.url() ?? 'about:blank').searchParams)

/**
 * Waits for another tab in the browser's own list of tabs. The driver sometimes misses a tab that a link opened, or keeps it at
 * about:blank.
 */
async function expectTab(page: Page, address: string): Promise<{ readonly opened: Promise<void> }> {
  const tools = await page.context().browser()?.newBrowserCDPSession()
  assert.ok(tools)
  await tools.send('Target.setDiscoverTargets', { discover: true })
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const look = ({ targetInfo }: { targetInfo: { url: string } }) => targetInfo.url === address && resolve()
  tools.on('Target.targetCreated', look)
  tools.on('Target.targetInfoChanged', look)
  return { opened }
}
