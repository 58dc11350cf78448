import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { STEP_MS } from './pages-hub.ts'
import { shiftsOf, watchShifts } from './pages-shifts.ts'
import { moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'
import { windowButton } from './window-button.ts'

const MINUTE_MS = 60_000
/** In the middle of a minute, so that each minute of the test has one sample. */
const NOW_MS = Date.UTC(2026, 9, 20, 12, 0, 30)
const { ages: _, ...rest } = richMachine
/** The machine started long before the window, so no mark of its start appears or disappears. */
const machine = { ...rest, uptimeSeconds: 10 * 86_400 }

/** Counts frames in which a chart is missing or has no text, and records added and removed elements. */
const watchCharts = `(() => {
  window.replaced = []
  window.emptyCharts = 0
  window.frames = 0
  new MutationObserver((list) => {
    for (const { addedNodes, removedNodes } of list) {
      replaced.push(...[...addedNodes, ...removedNodes].flatMap(({ outerHTML }) => outerHTML?.slice(0, 80) ?? []))
    }
  }).observe(document.querySelector('main'), { childList: true, subtree: true })
  const charts = [...document.querySelectorAll('main canvas')]
  const look = () => {
    frames += 1
    emptyCharts += charts.filter((chart) => !chart.isConnected || textsOn(chart).length === 0).length
    requestAnimationFrame(look)
  }
  look()
})()`

describe('the refresh of charts each minute', { timeout: 4 * STEP_MS }, () => {
  let scene: ClockedSystem

  before(async () => {
    const samples = moments(NOW_MS - 120 * MINUTE_MS, NOW_MS, MINUTE_MS).map((atMs) => ({ atMs, sample: machine }))
    scene = await clockedSystem({ clock: standingClock(NOW_MS), sample: () => machine, samples })
  })

  after(() => scene[Symbol.asyncDispose]())

  for (const width of [1440, 360]) {
    test(`charts stay drawn in every frame of a refresh, without replaced elements or layout shift, ${width} px`, async () => {
      await using page = await scene.open('/system/gauge', { viewport: { width, height: 900 } })
      await page.waitForLoadState('networkidle')
      await page.evaluate(watchShifts)
      // The observer first reports earlier shifts, which are discarded here.
      await shiftsOf(page)
      await page.evaluate('moved.length = 0')
      await page.evaluate(watchCharts)
      const range = windowButton(page)
      const shown = await range.textContent()
      await scene.passMinute(page)
      await range.and(page.locator(`:not(:text-is("${shown}"))`)).waitFor()
      await page.waitForLoadState('networkidle')
      assert.ok((await page.evaluate<number>('frames')) > 2)
      assert.equal(await page.evaluate('emptyCharts'), 0)
      assert.deepEqual(await page.evaluate('replaced'), [])
      assert.deepEqual(await shiftsOf(page), [])
      assert.deepEqual(scene.hub.pageErrors, [])
    })
  }
})
