import type { Locator, Page } from 'playwright-core'

/** Finds the button on a system page that shows the time range of the charts, such as `14:00 – 15:00`. */
export const windowButton = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: /\d:\d\d.*–/ })
