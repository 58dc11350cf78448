import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'
import { shiftsOf, watchShifts } from './pages-shifts.ts'
import { addPastSystem, moments } from './past-samples.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** The test reads the page within this time after the samples are stored, so that samples from a week before count as that day. */
const READ_WITHIN_MS = 5 * MINUTE_MS

/** CPU usage of today. Each earlier day had 5 % more. */
const busyPercents = { web: 10, db: 20, 'mail <b>': 30 } as const

describe('the comparison of systems', { timeout: 8 * STEP_MS }, () => {
  const ids = new Map<string, string>()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub({
      async prepare(stores) {
        const nowMs = Date.now()
        // The samples continue after now. On a busy machine the newest point of a chart would otherwise have only values of the day before.
        const toMs = nowMs + 60 * MINUTE_MS
        for (const [name, busyPercent] of Object.entries(busyPercents)) {
          const samples = moments(nowMs - 8 * DAY_MS, toMs, 10 * MINUTE_MS).map((atMs) => {
            const days = Math.max(0, Math.floor((nowMs + READ_WITHIN_MS - atMs) / DAY_MS))
            return { atMs, sample: { ...machineSample, cpu: { busyPercent: busyPercent + 5 * days } } }
          })
          ids.set(name, await addPastSystem(stores, { name, port: 1, status: 'paused', samples }))
        }
      },
    })
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await hub[Symbol.asyncDispose]()
  })

  const chartOf = (page: Page, title = 'Total CPU Usage') => page.getByRole('region', { name: title, exact: true })
  const entry = (page: Page, name: string, value: string) => chartOf(page).getByRole('button', { name: `${name} ${value}`, exact: true })
  const open = async (names: readonly string[], more = '') => {
    const page = await hub.openPage(admin)
    await page.goto(`/compare?systems=${names.map((name) => ids.get(name)).join(',')}${more}`)
    return page
  }

  test('selected systems are compared, also with another day, and the address stores both', async () => {
    // In UTC a day is always 24 h long, like the days of the samples.
    await using page = await hub.openPage(admin, { timezoneId: 'UTC' })
    await page.goto('/')
    for (const name of ['db', 'web']) await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByRole('heading', { name: 'Compare systems' }).waitFor()
    await entry(page, 'db', '20 %').waitFor()
    await entry(page, 'web', '10 %').waitFor()
    await choose(page, 'Beside', 'the week before')
    await entry(page, 'web, the week before', '45 %').waitFor()
    await page.reload()
    await entry(page, 'db, the week before', '55 %').waitFor()
    await choose(page, 'Beside', 'the day before')
    await entry(page, 'db, the day before', '25 %').waitFor()
    await page.getByRole('button', { name: '1w, 1 week' }).click()
    await entry(page, 'db', '20 %').waitFor()
    assert.match(page.url(), /beside=day&range=1w$/)
    await auditPage(page, 'compare')
  })

  test('previous day is compared at the same local hours, even if the clocks changed in between', async () => {
    await using page = await hub.openPage(admin, { timezoneId: 'Europe/Berlin' })
    const froms: number[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.pathname.startsWith('/api/history/')) froms.push(Number(url.searchParams.get('from')))
    })
    // 9 to 10 o'clock of the day on which the clocks were set back.
    const [fromMs, toMs] = [Date.UTC(2026, 9, 25, 8), Date.UTC(2026, 9, 25, 9)]
    await page.goto(`/compare?systems=${ids.get('db')}&beside=day&from=${fromMs}&to=${toMs}`)
    await chartOf(page).getByText('No data in this window').waitFor()
    assert.deepEqual(
      froms.toSorted((a, b) => b - a),
      [fromMs, fromMs - 25 * 60 * MINUTE_MS],
    )
  })

  test('systems are chosen in a dialog and removed, and the metric is selected', async () => {
    await using page = await open([])
    await page.getByText('No systems chosen').waitFor()
    await auditPage(page, 'compare')
    await page.getByRole('main').getByRole('button', { name: 'Choose systems' }).last().click()
    const dialog = page.getByRole('dialog', { name: 'Choose systems' })
    await dialog.getByRole('searchbox').fill('MAIL')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('searchbox').fill('')
    await dialog.getByRole('checkbox', { name: /^web/ }).check()
    await dialog.getByText('2 selected').waitFor()
    await auditPage(page, 'compare')
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
    await entry(page, 'mail <b>', '30 %').waitFor()
    await page.getByRole('button', { name: 'Remove mail <b>' }).click()
    await entry(page, 'mail <b>', '30 %').waitFor({ state: 'detached' })
    await choose(page, 'Metric', 'Total Memory Usage')
    await chartOf(page, 'Total Memory Usage')
      .getByRole('button', { name: /^web \d/ })
      .waitFor()
    assert.match(page.url(), /systems=\w{15}&metric=memory$/)
  })

  for (const [width, height, least] of [
    [1440, 900, 495],
    [768, 1024, 563],
    [360, 740, 407],
    [740, 360, 280],
  ] as const) {
    test(`chart of the comparison has at least its minimum height and causes no layout shift, ${width} × ${height} px`, async () => {
      await using page = await hub.openPage(admin, { viewport: { width, height } })
      await page.addInitScript(watchShifts)
      await page.goto(`/compare?systems=${ids.get('web')},${ids.get('db')}`)
      const canvas = chartOf(page).locator('canvas')
      await canvas.waitFor()
      // The plot gets its final height within a frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const [plot, slider] = [await canvas.boundingBox(), await chartOf(page).getByRole('slider').boundingBox()]
      assert.ok(plot !== null && slider !== null && plot.height >= least - 1, JSON.stringify({ plot, least }))
      // The plot fills the height that its card reserved.
      assert.ok(Math.abs(plot.height - slider.height) < 2, JSON.stringify({ plot, slider }))
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      assert.deepEqual(await shiftsOf(page), [])
    })
  }

  test('deleted system is left out; an unreadable system is reported while the others are shown', async () => {
    await using page = await hub.openPage(admin)
    // The hub responds for all systems or for none, so the test aborts the request for one of them.
    await page.route(`**/api/history/${ids.get('db')}?**`, (route) => route.abort())
    await page.goto(`/compare?systems=gone00000000000,${ids.get('db')},${ids.get('web')},__proto__`)
    await page.getByText('Some systems could not be read.').waitFor()
    await entry(page, 'web', '10 %').waitFor()
    await page.unroute(`**/api/history/${ids.get('db')}?**`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await entry(page, 'db', '20 %').waitFor()
    await page.getByText('Some systems could not be read.').waitFor({ state: 'detached' })
  })
  test('comparison shows rates in the selected unit', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/settings')
    const stored = settingsStored(page)
    await choose(page, 'Network unit', 'Bits per second')
    assert.equal((await stored).status(), 200)
    // The machine sends 1,000 and receives 3,000 bytes per second.
    await page.goto(`/compare?systems=${ids.get('web')}&metric=network`)
    await chartOf(page, 'Bandwidth').getByRole('button', { name: 'web 32 kbit/s', exact: true }).waitFor()
  })
})
