import type { Page } from 'playwright-core'

/** Delay of the pause in ms. On most machines, the page receives the command before the pause is due. */
const SOON_MS = 2_000

/** Resolves with the time of the page's own clock, in ms since 1970. */
export const clockOf = (page: Page): Promise<number> => page.evaluate<number>('Date.now()')

/** Pauses the page's installed clock in about 2 s. It retries when a busy page receives the command after that time. */
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
