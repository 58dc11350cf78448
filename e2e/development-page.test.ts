import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { root } from '../tools/rules/source-tree.ts'
import { launchBrowser } from './browser.ts'
import { auditPage } from './pages-audit.ts'
import { STEP_MS } from './pages-hub.ts'
import { startPartsPage } from './parts-page.ts'

/** Files that draw nothing by themselves, or that are shown as a part of another file. */
const shownWithOthers = [
  'error-boundary',
  'field',
  'form-error',
  'menu-on-demand',
  'modal',
  'on-demand',
  'optional',
  'select-list',
  'switch',
  'tooltips',
]

/** The page that shows every component of the interface in every state. */
describe('the development page', { timeout: 8 * STEP_MS }, () => {
  let browser: Browser
  let parts: Awaited<ReturnType<typeof startPartsPage>>
  let page: Page
  const errors: string[] = []

  before(async () => {
    parts = await startPartsPage()
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(STEP_MS)
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(parts.address)
    await page.getByRole('heading', { name: 'NumberField' }).waitFor()
  })

  after(async () => {
    await browser.close()
    await parts[Symbol.asyncDispose]()
  })

  test('page shows every component file of ui/', async () => {
    const shown = (await page.getByRole('heading', { level: 2 }).allTextContents()).join(' ').toLowerCase()
    const parts = readdirSync(join(root, 'web/src/ui'))
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => name.replace('.tsx', ''))
    const missing = parts.filter((name) => !shownWithOthers.includes(name) && !shown.includes(name.replaceAll('-', '')))
    assert.deepEqual(missing, [])
  })

  test('axe finds nothing in any state, at any width, in both themes', () => auditPage(page, 'the parts'))

  for (const part of ['dialog', 'wide dialog', 'question', 'sheet']) {
    test(`axe finds nothing in the ${part}`, async () => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.getByRole('button', { name: `Open the ${part}`, exact: true }).click()
      await auditPage(page, part)
      await page.keyboard.press('Escape')
      await page.locator('[data-backdrop]').waitFor({ state: 'detached' })
    })
  }

  test('axe finds nothing in a form with errors whose first field has the focus', async () => {
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('[name=email][aria-invalid=true]:focus').waitFor()
    await auditPage(page, 'a form with errors')
  })

  test('axe finds nothing in an open menu', async () => {
    await page.getByRole('button', { name: 'Menu of web' }).click()
    await page.getByRole('menu').waitFor()
    await auditPage(page, 'a menu')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  for (const name of ['Part', 'Time zone']) {
    test(`axe finds nothing in the open list of "${name}"`, async () => {
      await page.getByRole('combobox', { name, exact: true }).click()
      await page.getByRole('listbox').waitFor()
      await auditPage(page, `the list of ${name}`)
      await page.keyboard.press('Escape')
      await page.getByRole('listbox').waitFor({ state: 'detached' })
    })
  }

  test('axe finds nothing in a toast with focus, and in a tooltip', async () => {
    await page.getByRole('button', { name: 'Show a failure' }).click()
    const toast = page.getByRole('listitem').filter({ hasText: 'The name is taken.' })
    await toast.getByRole('button', { name: 'Open again' }).focus()
    await auditPage(page, 'a toast')
    await toast.getByRole('button', { name: 'Close' }).click()
    const button = page.getByRole('button', { name: 'Settings', exact: true })
    await auditPage(page, 'a tooltip', {
      show: async () => {
        await button.scrollIntoViewIfNeeded()
        await page.mouse.move(0, 0)
        await button.hover()
        await page.getByRole('tooltip').waitFor()
      },
    })
  })

  test('page threw no error', () => assert.deepEqual(errors, []))
})
