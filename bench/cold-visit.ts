import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'

/** Time without a request, in ms, after which the benchmark of a first visit takes a page as completely loaded: 2 s. */
const QUIET_MS = 2_000

const isScript = (response: Response): boolean => new URL(response.url()).pathname.endsWith('.js')

/**
 * For a benchmark: opens the URL path `path` of the hub with an empty browser cache. Resolves with the number of bytes of fetched
 * JavaScript, each file counted as gzipped, once 2 s have passed without a request.
 */
export async function coldVisitBytes(page: Page, path: string): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => isScript(response) && scripts.set(response.url(), response.body()))
  const quiet = quietFor(page, QUIET_MS)
  await page.goto(path)
  await quiet
  const bodies = await Promise.all(scripts.values())
  return bodies.reduce((total, body) => total + gzipSync(body, { level: 9 }).length, 0)
}

/**
 * Resolves when the browser page has sent no request for `ms` milliseconds. The time is counted from each request, so the page must send at
 * least one.
 */
function quietFor(page: Page, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(finish, ms)
  }
  const finish = () => {
    page.off('request', restart)
    resolve()
  }
  page.on('request', restart)
  return promise
}
