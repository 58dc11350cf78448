import type { Page, Response } from 'playwright-core'

/** Waits for the hub's response to the page's next change of the person's settings. The page shows a change before the hub has stored it. */
export const settingsStored = (page: Page): Promise<Response> =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && response.url().endsWith('/api/account/settings'))
