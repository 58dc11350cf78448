import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { timeLabels } from './pages-axis.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TITLE = 'Total CPU Usage'

/** Records each state of the page: missing parts, and the position of the content below. */
const watchStates = `void (() => {
  window.states = []
  const before = [...document.querySelectorAll('main canvas')]
  const note = () => {
    const next = document.querySelector('[aria-label="Load average"]')
    const below = next && next.getBoundingClientRect().top + scrollY
    const happened = [...document.querySelectorAll('[aria-label="Events"] li')].map(({ textContent }) => textContent)
    const canvases = [...document.querySelectorAll('main canvas')]
    const drawn = canvases.filter((canvas) => before.includes(canvas) && textsOn(canvas).length > 0).length + ' of ' + canvases.length
    const waiting = document.querySelectorAll('main [aria-busy=true], main [role=status][aria-label=Loading]').length
    const state = JSON.stringify({ below, happened, drawn, waiting })
    if (states.at(-1) !== state) states.push(state)
  }
  note()
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
})()`

/** A hub whose clock is stopped at a given time, with samples of the two days before it. */
function hubAt(nowMs: number): Promise<ClockedSystem> {
  const clock = standingClock(nowMs)
  // The system was down for 10 minutes, and 10 minutes later its machine started. Both are events of the page.
  const [downMs, upMs, bootMs] = [40, 30, 20].map((minutes) => clock.now() - minutes * MINUTE_MS) as [number, number, number] // of three
  const isHeard = (atMs: number) => atMs < downMs || atMs > upMs
  return clockedSystem({
    clock,
    sample: () => ({ ...machineSample, uptimeSeconds: Math.round((clock.now() - bootMs) / SECOND_MS) }),
    samples: moments(nowMs - 48 * HOUR_MS, nowMs, MINUTE_MS)
      .filter(isHeard)
      .map((atMs) => ({ atMs, sample: machineSample })),
    statuses: [
      { atMs: downMs, status: 'down', why: 'Nothing listens at its address' },
      { atMs: upMs, status: 'up' },
    ],
  })
}

/** The evening of the day on which Central Europe sets its clocks at `changeMs`. */
const eveningOf = (changeMs: number): number => changeMs + 21 * HOUR_MS + 58 * MINUTE_MS + 30 * SECOND_MS

const slider = (page: Page) => page.getByRole('region', { name: TITLE, exact: true }).getByRole('slider')
const addressOf = (middleMs: number, hours: number) => `/system/gauge?from=${middleMs - hours * HOUR_MS}&to=${middleMs + hours * HOUR_MS}`

/** Moves the pointer to a share of the chart's width. */
async function pointAt(page: Page, share: number): Promise<void> {
  const plot = page.getByRole('region', { name: TITLE, exact: true }).locator('.u-over')
  const box = await plot.boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width * share, box.y + box.height / 2)
}

/** Waits until the tooltip, and the slider for screen readers, show a time. */
async function isTold(page: Page, time: string): Promise<void> {
  const card = page.getByRole('region', { name: TITLE, exact: true })
  await card.locator('[aria-hidden=true]').getByText(time, { exact: true }).waitFor()
  assert.ok((await slider(page).getAttribute('aria-valuetext'))?.startsWith(`${time}, busy `))
}

type Readings = { readonly [hours in 1 | 3 | 12]: readonly string[] } & { readonly told: readonly [before: string, after: string] }

/**
 * Checks the time labels of windows around a change of the clocks, for several lengths. The browser is in Berlin, or elsewhere with Berlin
 * as selected zone.
 */
async function readsAcross(scene: ClockedSystem, changeMs: number, { told, ...labels }: Readings): Promise<void> {
  for (const zone of ['Europe/Berlin', 'America/New_York']) {
    await scene.hub.send(scene.admin, 'PATCH', '/api/account/settings', {
      merge: { timeZone: zone === 'Europe/Berlin' ? null : 'Europe/Berlin' },
    })
    await using page = await scene.open(addressOf(changeMs, 24), { timezoneId: zone })
    for (const hours of [12, 3, 1] as const) {
      await page.goto(addressOf(changeMs, hours))
      await page.getByRole('region', { name: TITLE, exact: true }).locator('canvas').waitFor()
      const shown = await timeLabels(page, TITLE)
      assert.deepEqual(
        shown.map(({ text }) => text),
        labels[hours],
        zone,
      )
      // Labels are centred on their position.
      for (const [index, { x, width }] of shown.entries()) {
        const next = shown[index + 1]
        assert.ok(next === undefined || x + width / 2 < next.x - next.width / 2, `${zone}: ${JSON.stringify(shown)}`)
      }
    }
    await pointAt(page, 0.5 - 0.5 / 120)
    await isTold(page, told[0])
    await pointAt(page, 0.5 + 0.5 / 120)
    await isTold(page, told[1])
    await page.close()
  }
}

const textsBelow = async (page: Page) => (await timeLabels(page, TITLE)).map(({ text }) => text)

describe('charts over time', { timeout: 8 * STEP_MS }, () => {
  const AUTUMN = Date.UTC(2026, 9, 25, 1)
  let autumn: ClockedSystem

  before(async () => {
    autumn = await hubAt(eveningOf(AUTUMN))
  })
  after(() => autumn[Symbol.asyncDispose]())

  const lastTime = (page: Page, time: string) =>
    waitUntil(page, `document.querySelector('[aria-label="${TITLE}"] [role=slider]').ariaValueText.startsWith('${time}')`)

  test("charts show each minute's values across midnight, without missing parts or layout shift", async () => {
    await using page = await autumn.open('/system/gauge')
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'Load average', exact: true }).locator('canvas').waitFor()
    const happened = page.getByRole('region', { name: 'Events' }).getByRole('listitem')
    await happened.filter({ hasText: 'Down: Nothing listens at its address' }).waitFor()
    await happened.filter({ hasText: 'Machine started' }).waitFor()
    await page.evaluate(watchStates)
    for (const time of ['25 Oct, 23:59', '26 Oct, 00:00', '26 Oct, 00:01']) {
      await autumn.passMinute(page)
      await lastTime(page, time)
    }
    const states = await page.evaluate<readonly string[]>('states')
    assert.equal(states.length, 1, states.join('\n'))
    await page
      .getByRole('main')
      .getByRole('button', { name: /^25 Oct, 23:0\d – 26 Oct, 00:0\d$/ })
      .waitFor()
    assert.deepEqual(await textsBelow(page), ['23:10', '23:20', '23:30', '23:40', '23:50', '26 Oct'])
  })

  test('events stay as last read when a later read fails', async () => {
    await using page = await autumn.open('/system/gauge')
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).scrollIntoViewIfNeeded()
    await page
      .getByRole('region', { name: 'Events' })
      .getByRole('listitem')
      .filter({ hasText: 'Down: Nothing listens at its address' })
      .waitFor()
    await page.evaluate(watchStates)
    const isRead = (url: URL) => url.pathname.endsWith('/events')
    await page.route(isRead, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => isRead(new URL(request.url())))
    await autumn.passMinute(page)
    await lastTime(page, '26 Oct, 00:02')
    await failed
    await waitUntil(page, 'new Promise(requestAnimationFrame)')
    const happened = (await page.evaluate<readonly string[]>('states')).map(
      (state) => (JSON.parse(state) as { happened: unknown }).happened,
    ) // as watched
    assert.equal(new Set(happened.map((one) => JSON.stringify(one))).size, 1, JSON.stringify(happened))
  })

  test('time labels across midnight show the date at its start, and the tooltip shows the date with each time', async () => {
    const midnightMs = AUTUMN - 3 * HOUR_MS
    await using page = await autumn.open(addressOf(midnightMs, 6))
    assert.deepEqual(await textsBelow(page), ['18:00', '20:00', '22:00', '25 Oct', '02:00', '04:00'])
    await page.goto(addressOf(midnightMs, 1))
    await pointAt(page, 0.5 - 0.5 / 120)
    await isTold(page, '24 Oct, 23:59')
    await pointAt(page, 0.5 + 0.5 / 120)
    await isTold(page, '25 Oct, 00:00')
  })

  test('time labels have no duplicates when clocks are set back; the second pass has the zone’s name', async () => {
    await readsAcross(autumn, AUTUMN, {
      12: ['15:00', '18:00', '21:00', '25 Oct', '03:00', '06:00', '09:00', '12:00'],
      3: ['25 Oct', '01:00', '02:00', '02:00 CET', '03:00', '04:00', '05:00'],
      1: ['02:00', '02:30', '02:00 CET', '02:30 CET', '03:00'],
      told: ['25 Oct, 02:59', '25 Oct, 02:00 CET'],
    })
  })

  test('time labels skip the missing hour when clocks are set forward', async () => {
    const SPRING = Date.UTC(2026, 2, 29, 1)
    await using spring = await hubAt(eveningOf(SPRING))
    await readsAcross(spring, SPRING, {
      12: ['15:00', '18:00', '21:00', '29 Mar', '03:00', '06:00', '09:00', '12:00', '15:00'],
      3: ['23:00', '29 Mar', '01:00', '03:00', '04:00', '05:00', '06:00'],
      1: ['01:00', '01:15', '01:30', '01:45', '03:00', '03:15', '03:30', '03:45', '04:00'],
      told: ['29 Mar, 01:59', '29 Mar, 03:00'],
    })
    assert.deepEqual(spring.hub.pageErrors, [])
  })

  test('page open while clocks are set back shows each minute once, and the second pass with the zone’s name', async () => {
    await using night = await hubAt(AUTUMN - 90 * SECOND_MS)
    await using page = await night.open('/system/gauge')
    for (const time of ['25 Oct, 02:59', '25 Oct, 02:00 CET', '25 Oct, 02:01 CET']) {
      await night.passMinute(page)
      await lastTime(page, time)
    }
    assert.deepEqual(await textsBelow(page), ['02:15', '02:30', '02:45', '02:00 CET'])
    assert.deepEqual(night.hub.pageErrors, [])
  })

  test('no page threw an error', () => assert.deepEqual(autumn.hub.pageErrors, []))
})
