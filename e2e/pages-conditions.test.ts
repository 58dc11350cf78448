import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose } from './choose.ts'
import { clockFrom } from './clocked-hub.ts'
import { auditPage } from './pages-audit.ts'
import { ADMIN, PASSWORD, startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { startLine } from './pages-line.ts'
import { windowButton } from './window-button.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS
const MANY = 5_000

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) })

/** Storage that the browser's settings forbid, and storage without free space. */
const storages = {
  forbidden: `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied for this document.', 'SecurityError') } })`,
  full: `Storage.prototype.setItem = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError') }`,
}

describe('conditions of a browser and a hub', { timeout: 12 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  for (const [state, script] of Object.entries(storages)) {
    test(`storage that is ${state}: sign-in, settings, theme and sorting work while the page is open`, async () => {
      await using page = await hub.openPage()
      await page.addInitScript(script)
      await page.goto('/')
      await page.getByLabel('Email').fill(ADMIN)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await row(page, 'gauge').waitFor()
      await page.getByRole('button', { name: 'CPU', exact: true }).click()
      await page.waitForURL(/sort=-cpu/)
      await page.getByRole('button', { name: 'Theme' }).click()
      await page
        .getByRole('menuitemradio', { name: 'Dark' })
        .or(page.getByRole('menuitem', { name: 'Dark' }))
        .click()
      await waitUntil(page, `document.documentElement.classList.contains('dark')`)
      await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click()
      await choose(page, 'Language', 'Deutsch')
      await page.getByRole('heading', { name: 'Einstellungen', exact: true }).waitFor()
      await page
        .getByRole('link', { name: /^Vedette/ })
        .first()
        .click()
      await row(page, 'gauge').waitFor()
      assert.deepEqual(hub.pageErrors, [])
    })
  }

  test('menu and dialog whose code is missing after an upgrade leave the page open and offer a reload', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByLabel('Filter systems').fill('gauge')
    // Loads the list for phones before the upgrade, because the audit shows it.
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('listitem').filter({ hasText: 'gauge' }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await row(page, 'gauge').waitFor()
    await page.waitForLoadState('networkidle')
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await page.getByRole('button', { name: 'Add System' }).click()
    const offer = page.getByRole('alert').filter({ hasText: 'This part could not be loaded.' })
    await offer.waitFor()
    await row(page, 'gauge').waitFor()
    assert.equal(await page.getByLabel('Filter systems').inputValue(), 'gauge')
    await page.mouse.move(0, 0)
    await auditPage(page, 'a part that could not be loaded')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goBack()
    await offer.waitFor({ state: 'detached' })
    await row(page, 'gauge').getByRole('button', { name: 'Menu of gauge' }).click()
    await offer.waitFor()
    await row(page, 'gauge').getByRole('button', { name: 'Menu of gauge' }).waitFor()
    await page.unrouteAll()
    await offer.getByRole('button', { name: 'Reload' }).click()
    await row(page, 'gauge').getByRole('button', { name: 'Menu of gauge' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).waitFor()
  })
})

test('page left open over New Year adds the year to dates of the previous year', { timeout: 4 * STEP_MS }, async () => {
  const clock = clockFrom(Date.UTC(2026, 11, 31, 22, 58))
  await using hub = await startPagesHub({ clock })
  const admin = await hub.createAdmin()
  await using page = await hub.openPage(admin, { timezoneId: 'Europe/Berlin', locale: 'en-GB' })
  await page.clock.install({ time: clock.now() })
  await page.goto('/settings')
  const session = page.getByRole('region', { name: 'Sessions' }).getByText(/31 Dec/)
  assert.match((await session.first().textContent()) ?? '', /31 Dec, 23:5\d/)
  clock.move(3 * MINUTE_MS)
  await page.clock.fastForward(3 * MINUTE_MS)
  await page
    .getByText(/31 Dec 2026, 23:5\d/)
    .first()
    .waitFor()
})

test('page on a machine that slept for three days shows current data and keeps its state', { timeout: 4 * STEP_MS }, async () => {
  const clock = clockFrom(Date.now())
  await using hub = await startPagesHub({ clock })
  const admin = await hub.createAdmin()
  const id = await hub.watchMachine(admin, 'gauge')
  await using line = await startLine(hub.address)
  await using page = await hub.openPage(admin, line.options(admin))
  await page.clock.install({ time: clock.now() })
  await page.goto('/?filter=a')
  await row(page, 'gauge').waitFor()
  await page.getByText('live', { exact: true }).waitFor()

  line.cut()
  clock.move(3 * DAY_MS)
  await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { name: 'awake' })
  await page.clock.setSystemTime(clock.now())
  line.mend()
  await row(page, 'awake').waitFor()
  await page.getByText('live', { exact: true }).waitFor()
  assert.equal(await page.getByRole('searchbox').inputValue(), 'a')
  await row(page, 'awake').getByRole('link', { name: 'awake' }).click()
  await page.getByRole('heading', { name: 'awake', level: 1 }).waitFor()
  // The hub's clock determines the end of the charts' window.
  const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' }).format(clock.now())
  await windowButton(page).filter({ hasText: day }).waitFor()
  assert.deepEqual(hub.pageErrors, [])
})

test(
  `All Systems with ${MANY} systems renders few rows, counts all systems and finds each by a filter`,
  { timeout: 6 * STEP_MS },
  async () => {
    await using hub = await startPagesHub({
      prepare: async ({ database, store }) => {
        const names = Array.from({ length: MANY }, (_, index) => `box-${String(index).padStart(4, '0')}`)
        await database.write(async (unit) => {
          for (const name of names)
            await store.insert(unit, 'systems', { name, host: '127.0.0.1', port: '1', status: 'paused', users: [], info: { cpu: 12.5 } })
        })
      },
    })
    const admin = await hub.createAdmin()
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await row(page, 'box-0000').waitFor()
    await page.getByText(`${MANY} paused`).or(page.getByText('5,000 paused')).waitFor()
    assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), String(MANY + 1))
    assert.ok((await page.getByRole('row').count()) < 100)
    await page.getByRole('button', { name: 'System', exact: true }).click()
    await page.getByRole('button', { name: 'System', exact: true }).click()
    await row(page, 'box-4999').waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByText('4,900 more systems. Type to narrow the list.').waitFor()
    assert.ok((await palette.getByRole('option').count()) < 150)
    await palette.getByRole('combobox').press('End')
    assert.equal(await palette.getByRole('option').last().getAttribute('aria-selected'), 'true')
    await auditPage(page, 'a palette of many systems')
    await palette.getByRole('combobox').fill('box-4999')
    await palette.getByText('more systems').waitFor({ state: 'detached' })
    assert.deepEqual(await palette.getByRole('option', { selected: true }).allTextContents(), ['box-4999127.0.0.1'])
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('box-2718')
    await row(page, 'box-2718').waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await page.getByRole('link', { name: 'box-2718' }).click()
    await page.getByRole('heading', { name: 'box-2718', level: 1 }).waitFor()
    assert.deepEqual(hub.pageErrors, [])
  },
)
