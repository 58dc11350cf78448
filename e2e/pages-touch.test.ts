import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'
import { windowButton } from './window-button.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** In the middle of a minute, so that each minute of the test has one sample. */
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const LONG_PRESS_MS = 600
const TITLE = 'Total CPU Usage'

type Touch = { readonly shares: readonly number[]; readonly type: 'touchStart' | 'touchMove' | 'touchEnd'; readonly byY?: number }

describe('charts by touch', { timeout: 8 * STEP_MS }, () => {
  let scene: ClockedSystem

  before(async () => {
    const samples = moments(NOW_MS - 3 * HOUR_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machineSample }))
    scene = await clockedSystem({ clock: standingClock(NOW_MS), sample: () => machineSample, samples })
  })

  after(() => scene[Symbol.asyncDispose]())

  const openTouched = async () => {
    const toMs = NOW_MS
    const page = await scene.open(`/system/gauge?from=${toMs - HOUR_MS}&to=${toMs}`, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 780 },
    })
    await followsTouches(page)
    return { page, toMs, fingers: await page.context().newCDPSession(page) }
  }
  /** Waits for the code for touches, which loads after the charts. */
  const followsTouches = (page: Page) =>
    waitUntil(page, `document.querySelector('[aria-label="${TITLE}"] .u-over')?.style.touchAction === 'pan-y'`)
  const plot = (page: Page) => page.getByRole('region', { name: TITLE, exact: true }).locator('.u-over')
  const tooltip = (page: Page) => page.getByRole('region', { name: TITLE, exact: true }).locator('.absolute[aria-hidden=true]')

  /** Positions of the fingers as shares of the chart's width. */
  const touch = async (page: Page, fingers: CDPSession, { shares, type, byY = 0 }: Touch) => {
    const box = await plot(page).boundingBox()
    assert.ok(box !== null)
    const touchPoints = shares.map((share, id) => ({ x: box.x + share * box.width, y: box.y + box.height / 2 + byY, id }))
    await fingers.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  const windowOf = (page: Page) => {
    const { searchParams } = new URL(page.url())
    return { fromMs: Number(searchParams.get('from')), toMs: Number(searchParams.get('to')) }
  }
  const isNear = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) <= MINUTE_MS, `${(actual - expected) / MINUTE_MS} min off`)

  test('drag with one finger along a chart moves the tooltip until the finger is lifted', async () => {
    const { page, fingers } = await openTouched()
    await using _ = page
    await touch(page, fingers, { type: 'touchStart', shares: [0.2] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.3] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.5] })
    await tooltip(page).getByText('20 Oct, 13:30').waitFor()
    await touch(page, fingers, { type: 'touchMove', shares: [0.75] })
    await tooltip(page).getByText('20 Oct, 13:45').waitFor()
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await tooltip(page).waitFor({ state: 'detached' })
  })

  test('vertical drag with one finger scrolls the page and shows no tooltip', async () => {
    const { page, fingers } = await openTouched()
    await using _ = page
    await touch(page, fingers, { type: 'touchStart', shares: [0.5] })
    for (const byY of [-20, -60, -120]) await touch(page, fingers, { type: 'touchMove', shares: [0.5], byY })
    await waitUntil(page, 'scrollY > 0')
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    assert.equal(await tooltip(page).count(), 0)
  })

  test('long press pins the tooltip, even while the data changes, until the chart is tapped', async () => {
    const { page, fingers } = await openTouched()
    await using _ = page
    await page.goto('/system/gauge')
    await followsTouches(page)
    await touch(page, fingers, { type: 'touchStart', shares: [0.5] })
    await page.clock.runFor(LONG_PRESS_MS)
    await tooltip(page).getByText('Pinned').waitFor()
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await page.getByRole('heading', { name: 'gauge', exact: true }).tap()
    const time = tooltip(page).locator('.font-medium').first()
    const pinned = await time.textContent()
    const range = windowButton(page)
    const before = await range.textContent()
    await scene.passMinute(page)
    await range.and(page.locator(`:not(:text-is("${before}"))`)).waitFor()
    assert.equal(await time.textContent(), pinned)
    await touch(page, fingers, { type: 'touchStart', shares: [0.2] })
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await tooltip(page).waitFor({ state: 'detached' })
  })

  test('pinch zooms the chart around the times below the fingers, and does not zoom the page', async () => {
    const { page, fingers, toMs } = await openTouched()
    await using _ = page
    await touch(page, fingers, { type: 'touchStart', shares: [0.4, 0.6] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.3, 0.7] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.2, 0.8] })
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await page.waitForURL(({ searchParams }) => Number(searchParams.get('to')) < toMs)
    const { fromMs, toMs: untilMs } = windowOf(page)
    isNear(untilMs - fromMs, HOUR_MS / 3)
    isNear((fromMs + untilMs) / 2, toMs - HOUR_MS / 2)
    assert.equal(await page.evaluate('visualViewport.scale'), 1)
  })

  test('pinch beside a chart zooms the page', async () => {
    const { page, fingers } = await openTouched()
    await using _ = page
    const box = await page.getByRole('heading', { name: 'gauge', exact: true }).boundingBox()
    assert.ok(box !== null)
    const at = (apart: number) => [-1, 1].map((side, id) => ({ x: 180 + side * apart, y: box.y + 10, id }))
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(20) })
    for (const apart of [50, 90, 130]) await fingers.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(apart) })
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await waitUntil(page, 'visualViewport.scale > 1')
  })

  test('horizontal drag with two fingers moves the window', async () => {
    const { page, fingers, toMs } = await openTouched()
    await using _ = page
    await touch(page, fingers, { type: 'touchStart', shares: [0.2, 0.4] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.4, 0.6] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.7, 0.9] })
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await page.waitForURL(({ searchParams }) => Number(searchParams.get('to')) < toMs)
    const { fromMs, toMs: untilMs } = windowOf(page)
    isNear(untilMs, toMs - HOUR_MS / 2)
    isNear(untilMs - fromMs, HOUR_MS)
  })

  test('chart stays under a pinch while its data is replaced', async () => {
    const { page, fingers } = await openTouched()
    await using _ = page
    await page.goto('/system/gauge')
    await followsTouches(page)
    await touch(page, fingers, { type: 'touchStart', shares: [0.4, 0.6] })
    await touch(page, fingers, { type: 'touchMove', shares: [0.3, 0.7] })
    const startedMs = scene.clock.now()
    await page.evaluate(`void (window.before = document.querySelector('main canvas'))`)
    for (let pass = 0; pass < 2; pass++) {
      await scene.passMinute(page)
      const minute = new Date(scene.clock.now()).getUTCMinutes()
      await waitUntil(
        page,
        `document.querySelector('[aria-label="${TITLE}"] [role=slider]').ariaValueText.startsWith('20 Oct, 14:0${minute}')`,
      )
    }
    assert.equal(await page.evaluate('before.isConnected'), true)
    await touch(page, fingers, { type: 'touchMove', shares: [0.2, 0.8] })
    await touch(page, fingers, { type: 'touchEnd', shares: [] })
    await page.waitForURL(/from=/)
    const { fromMs, toMs } = windowOf(page)
    isNear(toMs - fromMs, HOUR_MS / 3)
    isNear((fromMs + toMs) / 2, startedMs - HOUR_MS / 2)
  })

  test('no page threw an error', () => assert.deepEqual(scene.hub.pageErrors, []))
})
