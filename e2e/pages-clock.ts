import type { Page } from 'playwright-core'

/**
 * Delay in ms, 2 s, after which the page's simulated clock is to stop, from the test's command to the browser. On most machines, the page
 * receives the command in time.
 */
const SOON_MS = 2_000

/** Resolves with the time that the simulated clock of a browser page shows, in epoch ms. */
export const clockOf = (page: Page): Promise<number> => page.evaluate<number>('Date.now()')

/** Stops the simulated clock of a browser page about 2 s from now. It tries again when a busy page receives the command too late. */
export async function stopClock(page: Page): Promise<void> {
  for (let stands = false; !stands;) {
    try {
      await page.clock.pauseAt((await clockOf(page)) + SOON_MS)
      stands = true
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('to the past'))) throw error
    }
  }
}
