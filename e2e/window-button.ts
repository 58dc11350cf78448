import type { Locator, Page } from 'playwright-core'

/** Button of a system page that names the window of its charts. Between the ends there may also be `PM` or another day. */
export const windowButton = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: /\d:\d\d.*–/ })
