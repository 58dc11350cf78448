import type { Page } from 'playwright-core'

/** Further than the page's clock mostly has gone on by the time it is to stand. */
const SOON_MS = 2_000

/** The time by the page's own clock, in ms since 1970. */
export const clockOf = (page: Page): Promise<number> => page.evaluate<number>('Date.now()')

/** Pauses the page's installed clock soon. On a busy machine the time of the pause may pass before the page receives it: then it tries again. */
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
