import type { Page } from 'playwright-core'

/**
 * For browser tests: opens the combobox with the label `label` on a page and selects the option with the text `choice`. Resolves when the
 * option was clicked.
 */
export async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}
