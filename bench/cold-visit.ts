import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'

/** Time without a request, 2 s, after which a page counts as completely loaded; in ms. */
const QUIET_MS = 2_000

const isScript = (response: Response): boolean => new URL(response.url()).pathname.endsWith('.js')

/**
 * Opens the address `path` with an empty cache. Resolves with the number of bytes of fetched JavaScript, each file counted as gzipped, once
 * 2 s have passed without a request.
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

/** Resolves when `ms` milliseconds have passed since the last request of the page. */
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
