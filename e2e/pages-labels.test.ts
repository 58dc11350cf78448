import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { standingClock } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { labelledCharts, unreadableLabels } from './pages-axis.ts'
import { STEP_MS, waitUntil } from './pages-hub.ts'
import { moments } from './past-samples.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Every chart is drawn for each window, width and language, which is slow. The short suite leaves out some widths and windows. */
const isLong = process.env['VEDETTE_LONG'] === '1'
const widths = isLong ? [360, 768, 1440] : [360, 1440]
const windowsHours = isLong ? [1, 12, 72, 192] : [12, 192]

/** A machine with long values: a disk with 25 million files, and rates just below the next unit. */
const wideMachine: Sample = {
  ...richMachine,
  cpu: { busyPercent: 12.5, coreBusyPercent: [10, 15] },
  rootDisk: { ...machineSample.rootDisk, inodesTotal: 26_214_400, inodesUsed: 25_000_000 },
  network: { ...machineSample.network, sentBytesPerSecond: 999_000, receivedBytesPerSecond: 124_000_000 },
  fans: { front: 12_000 },
}

/** Midnight, so that every window below has a label at both ends. */
const NOW_MS = Date.UTC(2026, 9, 20)

describe('labels of charts', { timeout: 12 * STEP_MS }, () => {
  let scene: ClockedSystem

  before(async () => {
    const times = [...moments(NOW_MS - 8 * DAY_MS, NOW_MS - HOUR_MS, 30 * MINUTE_MS), ...moments(NOW_MS - HOUR_MS, NOW_MS, MINUTE_MS)]
    const samples = times.map((atMs) => ({ atMs, sample: wideMachine }))
    scene = await clockedSystem({ clock: standingClock(NOW_MS), sample: () => wideMachine, samples })
  })

  after(() => scene[Symbol.asyncDispose]())

  /** Scrolls until every chart of the page is drawn. */
  const chartsOf = async (page: Page, path: string) => {
    await page.goto(path)
    await page.locator('main canvas').first().waitFor()
    // More charts load on scroll.
    await waitUntil(page, `(scrollTo(0, document.body.scrollHeight), document.querySelector('[aria-label=Battery], [aria-label=Akku]'))`)
    for (const chart of await page.locator('main section[aria-busy=false]').all()) await chart.scrollIntoViewIfNeeded()
    await waitUntil(
      page,
      `document.querySelectorAll('main [role=slider]').length === document.querySelectorAll('main [role=slider] canvas').length`,
    )
    return labelledCharts(page)
  }

  for (const width of widths) {
    for (const locale of ['en-US', 'de-DE']) {
      test(`chart labels are neither cut nor touch each other, ${width} px, ${locale}`, async () => {
        await using page = await scene.open('/system/gauge', { locale, timezoneId: 'UTC', viewport: { width, height: 900 } })
        for (const hours of windowsHours) {
          const charts = await chartsOf(page, `/system/gauge?from=${NOW_MS - hours * HOUR_MS}&to=${NOW_MS}`)
          assert.ok(charts.length >= 20, charts.map(({ title }) => title).join())
          for (const { title, labels } of charts) assert.ok(labels.length >= 4, `${title}: ${JSON.stringify(labels)}`)
          assert.deepEqual(charts.flatMap(unreadableLabels), [], `${hours} h`)
        }
      })
    }
  }

  test('no page threw an error', () => assert.deepEqual(scene.hub.pageErrors, []))
})
