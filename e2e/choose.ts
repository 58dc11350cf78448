import type { Page } from 'playwright-core'

/** Opens the combobox with the label and selects an option in it. */
export async function choose(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
}
