import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { windowButton } from './window-button.ts'

/** The address stores what is open: Back closes it, a reload opens it again, and an invalid address breaks nothing. */
describe('navigation', { timeout: 10 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session
  let systemId: string

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    systemId = await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  const dialogIn = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }))

  /** Opens a dialog, reloads the page, goes Back and Forward, and closes the dialog. Back must not open it again. */
  const walk = async (page: Page, name: string | RegExp, open: () => Promise<unknown>) => {
    const before = page.url()
    await open()
    const dialog = dialogIn(page, name)
    await dialog.waitFor()
    const opened = page.url()
    assert.notEqual(opened, before)
    await page.reload()
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(page.url(), before)
    await page.goForward()
    await dialog.waitFor()
    assert.equal(page.url(), opened)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(page.url(), before)
  }

  test('dialogs of All Systems are in the browser history', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Vedette' }).first().click()
    const row = page.getByRole('row', { name: /gauge/ })
    const inMenu = async (entry: string) => {
      await row.getByRole('button', { name: 'Menu of gauge' }).click()
      await page.getByRole('menuitem', { name: entry, exact: true }).click()
    }
    await row.waitFor()
    await walk(page, 'Add New System', () => page.getByRole('button', { name: 'Add System' }).click())
    await walk(page, /Edit/, () => inMenu('Edit'))
    await walk(page, /Delete/, () => inMenu('Delete'))
    await walk(page, /Alerts/, () => row.getByRole('button', { name: /alerts/i }).click())
    await walk(page, 'Command palette', () => page.keyboard.press('Control+k'))
    await page.goBack()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
  })

  test('dialogs, tables and charts of a system are in the browser history', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge?range=12h')
    await page.getByRole('region', { name: 'CPU', exact: false }).first().waitFor()
    await walk(page, 'Pick a time', () => windowButton(page).click())
    await walk(page, /Alerts/, () => page.getByRole('button', { name: 'Alerts', exact: true }).click())
    await page.getByText('Missing a metric?').scrollIntoViewIfNeeded()
    await walk(page, 'Diagnostics of the agent on gauge', () => page.getByRole('button', { name: 'Run agent diagnostics' }).click())
    assert.equal(new URL(page.url()).searchParams.get('range'), '12h')
  })

  test('tab of the Add System dialog is in the browser history', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/?dialog=add')
    const tab = dialogIn(page, 'Add New System').getByRole('button', { name: 'systemd service' })
    await tab.click()
    await waitUntil(page, `new URLSearchParams(location.search).get('tab') === 'service'`)
    await page.reload()
    await dialogIn(page, 'Add New System').getByRole('button', { pressed: true, name: 'systemd service' }).waitFor()
  })

  const press = (key: string, control = false): string =>
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', ctrlKey: ${control}, bubbles: true, cancelable: true }))`

  test('keys and clicks directly after a dialog closes work', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    const link = page.getByRole('link', { name: 'gauge', exact: true })
    await link.waitFor()
    const openAdd = () => page.getByRole('button', { name: 'Add System' }).click()
    await openAdd()
    const dialog = dialogIn(page, 'Add New System')
    await dialog.waitFor()
    await page.evaluate(`${press('Escape')}; document.querySelector('a[href="/system/gauge"]').click()`)
    await page.getByRole('heading', { level: 1, name: 'gauge' }).waitFor()
    await page.goBack()
    await link.waitFor()
    await openAdd()
    await dialog.waitFor()
    await page.evaluate(`${press('Escape')}; ${press('Control')}; ${press('k', true)}`)
    await dialogIn(page, 'Command palette').waitFor()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await dialogIn(page, 'Command palette').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialogIn(page, 'Command palette').waitFor({ state: 'detached' })
  })

  test('back-office link that is clicked directly after its dialog closes works', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/')
    await page.getByRole('button', { name: 'New record' }).click()
    await page.getByRole('dialog').waitFor()
    await page.evaluate(`${press('Escape')}; document.querySelector('nav a[href="#/audit"]').click()`)
    const audit = page.getByRole('heading', { level: 1, name: 'Audit' })
    await audit.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // A link to the current page adds no history entry.
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await audit.waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  test('command palette is replaced in the history by the opened page, so Back leads to the previous page', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings')
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await dialogIn(page, 'Command palette').waitFor()
    await page.keyboard.type('gauge')
    await page.getByRole('option', { name: 'gauge', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    await dialogIn(page, 'Command palette').waitFor({ state: 'detached' })
  })

  test('open page of a renamed system stays open, and its address changes', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge?range=12h')
    await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()
    const cards = page.getByRole('button', { name: /show the numbers/ })
    await cards.first().click()
    await page.evaluate('scrollTo(0, 200)')
    await waitUntil(page, 'scrollY === 200')
    const length = await page.evaluate('history.length')
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${systemId}`, { name: 'meter %41/b' })
    await page.getByRole('heading', { name: 'meter %41/b', level: 1 }).waitFor()
    await waitUntil(page, `location.pathname === '/system/meter%20%2541%2Fb'`)
    assert.equal(new URL(page.url()).search, '?range=12h')
    assert.equal(await page.evaluate('history.length'), length)
    assert.equal(await page.getByRole('button', { name: /show the numbers/, pressed: true }).count(), 1)
    assert.equal(await page.evaluate('scrollY'), 200)
    assert.equal(await page.title(), 'meter %41/b / Vedette')
    await page.reload()
    await page.getByRole('heading', { name: 'meter %41/b', level: 1 }).waitFor()

    // Another system takes the old name. The open page must not show it.
    await hub.send(admin, 'PATCH', `/api/collections/systems/records/${systemId}`, { name: 'gauge' })
    await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()
    await waitUntil(page, `location.pathname === '/system/gauge'`)
  })

  const hostile = [
    '__proto__',
    'constructor',
    '[object Object]',
    'NaN',
    '-1',
    '%00',
    '%E0%A4%A',
    '"><img src=x onerror=alert(1)>',
    'x'.repeat(100_000),
  ]

  test('dashboard ignores hostile parameters in its address', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByRole('row', { name: /gauge/ }).waitFor()
    for (const text of hostile) {
      const search = ['sort', 'dialog', 'item', 'tab', 'palette', '__proto__'].map((name) => `${name}=${text}`).join('&')
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/?${search}`)})`)
      await page.getByRole('row', { name: /gauge/ }).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0, text.slice(0, 40))
      const values = ['range', 'from', 'to', 'live', 'containers', 'containersSort', 'drivesSort', 'dialog', 'item']
      const other = values.map((name) => `${name}=${text}`).join('&')
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/system/gauge?${other}`)})`)
      await page.getByRole('heading', { name: 'gauge', level: 1 }).waitFor()
      await page.getByRole('button', { pressed: true, name: /^1h/ }).waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0, text.slice(0, 40))
    }
    assert.deepEqual(hub.pageErrors, [])
  })

  test('back-office has its dialogs in the history, and ignores hostile parameters in its address', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/#/collections?collection=systems')
    await page.getByRole('button', { name: 'Columns' }).waitFor()
    await walk(page, 'Columns', () => page.getByRole('button', { name: 'Columns' }).click())
    await walk(page, 'How to call it', () => page.getByRole('button', { name: 'API' }).click())
    await walk(page, 'Record', () => page.getByRole('button', { name: 'gauge', exact: true }).click())
    await page.goto('/_/#/settings/crons')
    await walk(page, /Run/, () => page.getByRole('button', { name: /Run/ }).first().click())
    await page.goto('/_/#/logs')
    await walk(page, 'Log retention', () => page.getByRole('button', { name: 'Log retention' }).click())
    for (const text of hostile) {
      const search = ['level', 'kind', 'status', 'span', 'from', 'to', 'dialog']
      await page.goto(`/_/#/logs?${search.map((name) => `${name}=${text}`).join('&')}`)
      await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
      await page.goto(
        `/_/#/collections?collection=systems&${['sort', 'page', 'columns', 'dialog'].map((name) => `${name}=${text}`).join('&')}`,
      )
      await page.getByRole('heading', { name: /Systems|Users/, level: 1 }).waitFor()
    }
    assert.deepEqual(hub.pageErrors, [])
  })
})
