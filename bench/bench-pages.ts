import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import { scratchFolder } from '../e2e/programs.ts'
import { ensureDashboard } from '../tools/dashboard.ts'
import { startBenchHub } from './bench-hub.ts'
import { BENCH_PASSWORD, emailOf, seedHub } from './seeded-hub.ts'
import { freePort } from '../tools/free-port.ts'

export type BenchPage = {
  readonly page: Page
  readonly devtools: CDPSession
  /**
   * For benchmarks: collects garbage in an open page of the dashboard and resolves with the size of its used JavaScript heap, in MB
   * (1,000,000 bytes).
   */
  readonly heapMegabytes: () => Promise<number>
  /** For benchmarks: resolves with the time that the main thread of an open dashboard page has worked since the page was opened, in ms. */
  readonly workedMs: () => Promise<number>
}

/**
 * Real browser with pages signed in to a real hub with stored systems: functions that open pages and send requests. Disposing it stops
 * both.
 */
export type BenchPages = AsyncDisposable & {
  readonly openPage: (options?: BrowserContextOptions) => Promise<BenchPage>
  readonly send: (method: string, path: string, body?: object) => Promise<unknown>
}

type Stored = { readonly systems: number; readonly days?: number; readonly containers?: number; readonly isFilled?: boolean }

const STEP_MS = 60_000
const BYTES_PER_MEGABYTE = 1_000_000

/**
 * JavaScript text that a benchmark runs in each browser page before the page's own code. It records in `window.seen` the longest task over
 * 50 ms, the layout shift, and the time of the last line drawn on a canvas.
 */
const OBSERVER_SCRIPT = `(() => {
  window.seen = { longestTask: 0, shift: 0, drawnAt: 0 }
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => (seen.longestTask = Math.max(seen.longestTask, duration)))).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value))).observe({ type: 'layout-shift', buffered: true })
  const { stroke } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.stroke = function (...args) {
    seen.drawnAt = performance.now()
    return stroke.apply(this, args)
  }
})()`

export type PageObservations = { readonly longestTask: number; readonly shift: number; readonly drawnAt: number }

export const seenBy = (page: Page): Promise<PageObservations> => page.evaluate<PageObservations>('seen')

/** For benchmarks: resolves after two animation frames of the page, when the page has drawn its last change. */
export const nextDrawing = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')

export async function startBenchPages({ systems, days = 0, containers = 0, isFilled = false }: Stored): Promise<BenchPages> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  const stored = days > 0 ? { stored: { days, containers } } : {}
  await seedHub(folder.path, { systems, people: 1, tokens: 'own', link: 'websocket', port: 1, isFilled, ...stored })
  await ensureDashboard()
  const listen = `127.0.0.1:${await freePort()}`
  const address = `http://${listen}`
  const hub = await startBenchHub({ listen, directory: folder.path })
  stack.defer(async () => void (await hub.stop()))
  const browser = await launchBrowser()
  stack.defer(() => browser.close())

  const ask = async (token: string, method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(address + path, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}`)
    return answer.json()
  }
  const identity = { identity: emailOf(0), password: BENCH_PASSWORD }
  const session = (await ask('', 'POST', '/api/collections/users/auth-with-password', identity)) as { readonly token: string } // what it answers
  const localStorage = [{ name: 'pocketbase_auth', value: JSON.stringify(session) }]

  const openPage = async (options: BrowserContextOptions = {}): Promise<BenchPage> => {
    const context = await browser.newContext({
      locale: 'en-US',
      baseURL: address,
      viewport: { width: 1440, height: 900 },
      storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(STEP_MS)
    await page.addInitScript(OBSERVER_SCRIPT)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Performance.enable')
    const metric = async (name: string): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      return metrics.find((one) => one.name === name)?.value ?? Number.NaN
    }
    return {
      page,
      devtools,
      async heapMegabytes() {
        await devtools.send('HeapProfiler.collectGarbage')
        return (await metric('JSHeapUsedSize')) / BYTES_PER_MEGABYTE
      },
      workedMs: async () => (await metric('TaskDuration')) * 1000,
    }
  }
  const opened = stack.move()
  return {
    openPage,
    send: (method, path, body) => ask(session.token, method, path, body),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
