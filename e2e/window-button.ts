import type { Locator, Page } from 'playwright-core'

/** Returns a Playwright locator of the button on a system page whose text is the time range of the charts, such as `14:00 – 15:00`. */
export const windowButton = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: /\d:\d\d.*–/ })
