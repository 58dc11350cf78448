import type { Page } from 'playwright-core'
import { nextDrawing, median, seenBy, startBenchPages, type BenchPages } from '../bench-pages.ts'
import { machineName } from '../simulated-machine.ts'
import type { Figure, Row } from '../row.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const LOADS = 5
const MOVES = 60
const SLOWED = 4
/**
 * Width and height in px of the browser's viewport in the benchmark of the system page. It is high enough for the ten charts of a system
 * with containers.
 */
const TALL = { width: 1440, height: 1900 }
const path = `/system/${encodeURIComponent(machineName(0))}`

/**
 * Holds back the page's history requests except those for system and container charts. So charts further down the system page are not drawn
 * while the benchmark measures.
 */
async function holdFurtherCharts(page: Page): Promise<void> {
  await page.route('**/api/history/**', (route) =>
    /kind=(?:system|containers)/.test(route.request().url()) ? route.continue() : undefined,
  )
}

/**
 * JavaScript text for a system page in the benchmark. Its value is the time, in ms of the page's clock, at which both system data and
 * container data had first arrived.
 */
const lastAnswer = `Math.max(...[/system_stats\\/records|kind=system/, /container_stats\\/records|kind=containers/].map((set) => performance.getEntriesByType('resource').find(({ name }) => set.test(name)).responseEnd))`

const canvases = (page: Page) => page.locator('main canvas').count()

/**
 * Opens a system page in the benchmark and waits until no more charts are drawn. Resolves with the time from the last data to the last
 * drawing in ms, the longest task in ms, and the layout shift.
 */
async function drawOnce(pages: BenchPages, search: string) {
  const { page, heapMegabytes, workedMs } = await pages.openPage({ viewport: TALL })
  await holdFurtherCharts(page)
  await page.goto(`${path}${search}`)
  await page.locator('main canvas').first().waitFor()
  let [before, now] = [-1, await canvases(page)]
  while (before !== now) {
    await nextDrawing(page)
    await nextDrawing(page)
    ;[before, now] = [now, await canvases(page)]
  }
  const { drawnAt, longestTask, shift } = await seenBy(page)
  const tookMs = drawnAt - (await page.evaluate<number>(lastAnswer))
  return { page, charts: now, tookMs, longestTask, shift, heapMegabytes, workedMs }
}

async function drawing(pages: BenchPages, what: string, search: string, bar: number): Promise<readonly Figure[]> {
  const took: number[] = []
  for (let load = 0; load < LOADS; load++) {
    const { page, tookMs, charts } = await drawOnce(pages, search)
    if (charts < 8) throw new Error(`Only ${charts} charts are drawn`)
    took.push(tookMs)
    await page.context().close()
  }
  return [{ name: `${what}: last data there → all charts drawn, median of ${LOADS}`, value: median(took), unit: 'ms', bar }]
}

async function withSystem<T>(measure: (pages: BenchPages) => Promise<T>): Promise<T> {
  await using pages = await startBenchPages({ systems: 2, days: 3, containers: 5 })
  return await measure(pages)
}

/** Returns the query string (`?from=…&to=…` in epoch ms) by which the URL of a system page shows the 24 hours that ended an hour ago. */
function dayWindow(): string {
  const toMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS
  return `?from=${toMs - DAY_MS}&to=${toMs}`
}

export const systemDrawing: Row = {
  id: 'W3',
  what: 'system page in a browser: first paint, and data to drawing',
  measure: () =>
    withSystem(async (pages) => {
      const paints: number[] = []
      for (let load = 0; load < LOADS; load++) {
        const { page, devtools } = await pages.openPage()
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
        await page.goto('/')
        await page.getByRole('row').first().waitFor()
        paints.push(await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
        await page.context().close()
      }
      return [
        {
          name: `first contentful paint, processor slowed ${SLOWED} times, median of ${LOADS}`,
          value: median(paints),
          unit: 'ms',
          bar: 1_000,
        },
        ...(await drawing(pages, '60 points', '', 100)),
        ...(await drawing(pages, '1,440 points', dayWindow(), 150)),
      ]
    }),
}

export const systemWork: Row = {
  id: 'W4',
  what: 'system page with 1,440 points: tasks, frames, memory, layout shift',
  measure: () =>
    withSystem(async (pages) => {
      const { page, shift, longestTask, heapMegabytes, workedMs } = await drawOnce(pages, dayWindow())
      const plot = page.locator('.u-over').first()
      const box = await plot.boundingBox()
      if (box === null) throw new Error('There is no plot to move over')
      const frames: number[] = []
      for (let move = 0; move < MOVES; move++) {
        const before = await workedMs()
        await page.mouse.move(box.x + (box.width * (move + 1)) / (MOVES + 2), box.y + box.height / 2)
        await nextDrawing(page)
        // Two frames are waited for; the work is that of the move.
        frames.push((await workedMs()) - before)
      }
      const heap = await heapMegabytes()
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2, { steps: 10 })
      const zoomedBefore = await workedMs()
      await page.mouse.up()
      await page.waitForURL(/from=/)
      await nextDrawing(page)
      const zoomed = await seenBy(page)
      return [
        { name: 'longest task until all charts are drawn (0: none over 50 ms)', value: longestTask, unit: 'ms', bar: 100 },
        { name: 'longest task with pointing and a zoom', value: zoomed.longestTask, unit: 'ms', bar: 100 },
        { name: `pointing: work of a frame in all charts, median of ${MOVES}`, value: median(frames), unit: 'ms', bar: 16 },
        { name: 'zoom: work until the next window is asked for and outlined', value: (await workedMs()) - zoomedBefore, unit: 'ms' },
        { name: 'memory of the page, after collection', value: heap, unit: 'MB', bar: 40 },
        { name: 'layout shift of the system page', value: shift, unit: '', bar: 0.05 },
      ]
    }),
}
