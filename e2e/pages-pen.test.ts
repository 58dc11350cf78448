import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const LONG_PRESS_MS = 600
const TITLE = 'Total CPU Usage'

type Stroke = { readonly type: 'mouseMoved' | 'mousePressed' | 'mouseReleased'; readonly share: number; readonly isDown?: boolean }

describe('charts by pen', { timeout: 8 * STEP_MS }, () => {
  let scene: ClockedSystem

  before(async () => {
    const samples = moments(NOW_MS - 3 * HOUR_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machineSample }))
    scene = await clockedSystem({ clock: standingClock(NOW_MS), sample: () => machineSample, samples })
  })

  after(() => scene[Symbol.asyncDispose]())

  const openWithPen = async (hasTouch = false) => {
    const page = await scene.open(`/system/gauge?from=${NOW_MS - HOUR_MS}&to=${NOW_MS}`, {
      hasTouch,
      viewport: { width: 1024, height: 780 },
    })
    await page.evaluate(
      `void (window.pointers = [], addEventListener('pointermove', ({ pointerType }) => pointers.push(pointerType), true))`,
    )
    const pen = await page.context().newCDPSession(page)
    await chart(page).scrollIntoViewIfNeeded()
    // A pen hovers before it touches the screen. This loads the code for pens, unless it was loaded after the charts.
    await move(page, pen, { type: 'mouseMoved', share: 0.9 })
    await waitUntil(page, `document.querySelector('[aria-label="${TITLE}"] .u-over').style.touchAction === 'pan-y'`)
    return { page, pen }
  }
  const chart = (page: Page) => page.getByRole('region', { name: TITLE, exact: true })
  const tooltip = (page: Page) => chart(page).locator('.absolute[aria-hidden=true]')

  /** Moves the pen to a share of the chart's width. Beyond 1 it is beside the chart. */
  const move = async (page: Page, pen: CDPSession, { type, share, isDown = type !== 'mouseMoved' }: Stroke) => {
    const box = await chart(page).locator('.u-over').boundingBox()
    assert.ok(box !== null)
    const at = { x: box.x + share * box.width, y: box.y + box.height / 2 }
    const button = type === 'mouseMoved' ? 'none' : 'left'
    const buttons = isDown && type !== 'mouseReleased' ? 1 : 0
    await pen.send('Input.dispatchMouseEvent', { type, ...at, button, buttons, clickCount: 1, pointerType: 'pen' })
  }

  for (const hasTouch of [false, true]) {
    const where = hasTouch ? 'a touch screen' : 'a tablet without touch'
    test(`on ${where} a hovering pen shows the tooltip of a chart until it leaves`, async () => {
      const { page, pen } = await openWithPen(hasTouch)
      await using _ = page
      await move(page, pen, { type: 'mouseMoved', share: 0.5 })
      await tooltip(page).getByText('20 Oct, 13:30').waitFor()
      await move(page, pen, { type: 'mouseMoved', share: 0.75 })
      await tooltip(page).getByText('20 Oct, 13:45').waitFor()
      assert.deepEqual(await page.evaluate('[...new Set(pointers)]'), ['pen'])
      await move(page, pen, { type: 'mouseMoved', share: -0.5 })
      await tooltip(page).waitFor({ state: 'detached' })
    })

    test(`on ${where} a pen drag along a chart moves the tooltip and does not zoom`, async () => {
      const { page, pen } = await openWithPen(hasTouch)
      await using _ = page
      const address = page.url()
      await move(page, pen, { type: 'mouseMoved', share: 0.2 })
      await move(page, pen, { type: 'mousePressed', share: 0.2 })
      for (const share of [0.25, 0.3, 0.5]) await move(page, pen, { type: 'mouseMoved', share, isDown: true })
      await tooltip(page).getByText('20 Oct, 13:30').waitFor()
      await move(page, pen, { type: 'mouseMoved', share: 0.75, isDown: true })
      await tooltip(page).getByText('20 Oct, 13:45').waitFor()
      assert.equal(await tooltip(page).getByText('Pinned').count(), 0)
      await move(page, pen, { type: 'mouseReleased', share: 0.75 })
      // After it is lifted the pen hovers and still moves the tooltip.
      await move(page, pen, { type: 'mouseMoved', share: 0.5 })
      await tooltip(page).getByText('20 Oct, 13:30').waitFor()
      await move(page, pen, { type: 'mouseMoved', share: -0.5 })
      await tooltip(page).waitFor({ state: 'detached' })
      assert.equal(page.url(), address)
    })

    test(`on ${where} a long press of a pen pins the tooltip until the chart is tapped`, async () => {
      const { page, pen } = await openWithPen(hasTouch)
      await using _ = page
      await move(page, pen, { type: 'mouseMoved', share: 0.5 })
      await move(page, pen, { type: 'mousePressed', share: 0.5 })
      await page.clock.runFor(LONG_PRESS_MS)
      await tooltip(page).getByText('Pinned').waitFor()
      await move(page, pen, { type: 'mouseReleased', share: 0.5 })
      await move(page, pen, { type: 'mouseMoved', share: 0.7 })
      await move(page, pen, { type: 'mouseMoved', share: -0.5 })
      await tooltip(page).getByText('20 Oct, 13:30').waitFor()
      await tooltip(page).getByText('Pinned').waitFor()
      await move(page, pen, { type: 'mouseMoved', share: 0.2 })
      await move(page, pen, { type: 'mousePressed', share: 0.2 })
      await move(page, pen, { type: 'mouseReleased', share: 0.2 })
      await tooltip(page).getByText('Pinned').waitFor({ state: 'detached' })
      await move(page, pen, { type: 'mouseMoved', share: -0.5 })
      await tooltip(page).waitFor({ state: 'detached' })
    })
  }

  test('no page threw an error', () => assert.deepEqual(scene.hub.pageErrors, []))
})
