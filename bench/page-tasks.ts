import type { Page } from 'playwright-core'
import { nextDrawing } from './bench-pages.ts'

/**
 * Maximum CPU time in ms, 50, of a task on a page's main thread in the benchmark. A longer task delays the response to a key press
 * noticeably.
 */
export const LONG_TASK_MS = 50

type Task = {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Runs `act` on a page and resolves with the CPU time of the longest task on its main thread meanwhile, in ms. Other programs of the
 * machine do not count.
 */
export async function longestTaskOf(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await act()
  await nextDrawing(page)
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { readonly traceEvents: readonly Task[] } // Chromium's format
  const main = new Set(traceEvents.filter(({ args }) => args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
