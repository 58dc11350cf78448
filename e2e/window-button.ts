import type { Locator, Page } from 'playwright-core'

/**
 * Returns the button of a system page that shows the time range of its charts. Between the two times there may also be `PM` or another day.
 */
export const windowButton = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: /\d:\d\d.*–/ })
