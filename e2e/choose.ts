import type { Page } from 'playwright-core'

/** Opens the combobox with this label on a page and selects the option with the text `choice`. */
export async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}
