import type { Page, Response } from 'playwright-core'

/**
 * Resolves with the hub's HTTP response to the next change of the user's settings that a browser page sends. The page shows a change before
 * that.
 */
export const settingsStored = (page: Page): Promise<Response> =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/account/settings'))
