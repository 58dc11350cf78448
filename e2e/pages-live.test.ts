import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { shiftsOf, watchShifts } from './pages-shifts.ts'
import { freePort } from '../tools/free-port.ts'

/** Whether a request subscribes to, or unsubscribes from, the one-second samples of a system. */
function followsMeasurements(request: Request, isFollowing: boolean): boolean {
  if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/api/realtime') return false
  const { subscriptions } = request.postDataJSON() as { readonly subscriptions: readonly string[] } // as every client sends it
  return subscriptions.some((topic) => topic.startsWith('rt_metrics')) === isFollowing
}

/** The title of a page fills the width beside its controls. */
const LONG_NAME = 'a-machine-'.repeat(10)

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const areApart = (a: Box, b: Box): boolean => a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y

describe('live values', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const liveButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Live', exact: true })
  const points = (page: Page, count: number) =>
    waitUntil(
      page,
      `[...document.querySelectorAll('[aria-label="Total CPU Usage"] [role=slider]')].some((one) => Number(one.ariaValueMax) + 1 >= ${count})`,
    )

  /** Positions of the button and of the text beside it. */
  const placeOf = async (page: Page) => [await liveButton(page).boundingBox(), await page.getByText(/^Last sample/).boundingBox()]

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
    await hub.watchMachine(admin, LONG_NAME)
    await hub.addSystem(admin, { name: 'mute', port: await freePort() })
  })

  after(() => hub[Symbol.asyncDispose]())

  test('live mode adds a point per second, survives a reload through the address, and ends when a range is selected', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    const following = page.waitForRequest((request) => followsMeasurements(request, true))
    await liveButton(page).click()
    await following
    await page.waitForURL(/live=1/)
    await points(page, 4)
    // The button's tooltip disappears with the pointer.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await auditPage(page, 'live values')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()
    await points(page, 2)
    const left = page.waitForRequest((request) => followsMeasurements(request, false))
    await page.getByRole('group', { name: 'Time range' }).getByText('12h', { exact: true }).click()
    await left
    assert.equal(new URL(page.url()).search, '?range=12h')
    await liveButton(page).and(page.locator('[aria-pressed=false]')).waitFor()
    await page.locator('canvas').first().waitFor()
  })

  test('page shows the time of the last sample each second without layout shift, and says when the agent has stopped', async () => {
    const { port, program } = await hub.startAgent('leaving')
    await hub.addSystem(admin, { name: 'leaving', port })
    await using page = await hub.openPage(admin, { timezoneId: 'Europe/Berlin', locale: 'en-GB' })
    await page.addInitScript(watchShifts)
    await page.goto('/system/leaving?live=1')
    const last = page.getByRole('main').getByText(/^Last sample \d\d:\d\d:\d\d$/)
    await last.waitFor()
    // The time is not in a live region, so screen readers do not announce it each second.
    assert.equal(await last.evaluate((one) => one.closest('output, [aria-live]')), null)
    await points(page, 2)
    await page.evaluate('moved.length = 0')
    const [place, seen] = [await placeOf(page), new Set<string>()]
    for (let second = 0; second < 3; second += 1) {
      const text = (await last.textContent()) ?? ''
      seen.add(text)
      await page.getByText(text, { exact: true }).waitFor({ state: 'detached' })
      await last.waitFor()
      assert.deepEqual(await placeOf(page), place)
    }
    assert.equal(seen.size, 3)
    assert.deepEqual(await shiftsOf(page), [])
    await program.stop()
    const ended = page
      .getByRole('main')
      .getByRole('status')
      .getByText(/^No values since \d\d:\d\d:\d\d$/)
    await ended.waitFor()
    await last.waitFor({ state: 'detached' })
  })

  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1440, 900],
  ] as const) {
    test(`time of the last sample overlaps nothing, ${width} × ${height} px`, async () => {
      await using page = await hub.openPage(admin, { viewport: { width, height }, locale: 'de-DE' })
      await page.goto(`/system/${LONG_NAME}?live=1`)
      const last = page.getByRole('main').getByText(/^Letzte Messung \d\d:\d\d:\d\d$/)
      await last.waitFor()
      const box = await last.boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
      const title = await page.getByRole('main').locator('h1').boundingBox()
      assert.ok(title !== null && areApart(title, box), JSON.stringify({ box, title }))
      // The controls do not overlap the text either.
      for (const control of await page.getByRole('main').locator('button:visible, a:visible, [role=group]:visible').all()) {
        const own = await control.boundingBox()
        const isFree: boolean = own === null || (areApart(own, box) && areApart(own, title))
        assert.ok(isFree, JSON.stringify({ box, title, own, text: await control.textContent() }))
      }
    })
  }

  test('live mode ends when the user leaves the page', async () => {
    await using page = await hub.openPage(admin)
    const following = page.waitForRequest((request) => followsMeasurements(request, true))
    await page.goto('/system/gauge?live=1')
    await following
    await points(page, 2)
    const left = page.waitForRequest((request) => followsMeasurements(request, false))
    await page.getByRole('link', { name: 'Vedette, all systems' }).click()
    await left
  })

  test('system that does not respond shows "waiting for the agent"', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/mute?live=1')
    await page.getByText('waiting for the agent…', { exact: true }).waitFor()
  })

  test('refused subscription to live values shows the error', async () => {
    await using page = await hub.openPage(admin)
    // Without access there is no page of the system, so the test simulates the refusal.
    await page.route('**/api/realtime', (route) =>
      route.request().method() === 'POST' && followsMeasurements(route.request(), true)
        ? route.fulfill({ status: 403, json: { status: 403, message: 'Not for you.', data: {} } })
        : route.continue(),
    )
    await page.goto('/system/gauge')
    await page.getByText('live', { exact: true }).waitFor()
    await liveButton(page).click()
    await page.getByText('No live values: Not for you.', { exact: true }).waitFor()
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
