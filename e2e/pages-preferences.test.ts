import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { windowButton } from './window-button.ts'

/** A changed setting applies to open pages in all tabs, without closing or moving anything on them. */
describe('preferences on open pages', { timeout: 6 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  /** Sets a mark that a new document does not have. */
  const mark = (page: Page) => page.evaluate('window.isSameDocument = true')
  const isSameDocument = (page: Page) => page.evaluate('window.isSameDocument === true')

  test('units, clock and language changed in another tab apply without losing dialog, input, table or scroll position', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const network = page.getByRole('region', { name: 'Bandwidth', exact: true })
    await network.getByRole('button', { name: 'Bandwidth: show the numbers' }).click()
    await network.getByText(/B\/s$/).first().waitFor()
    await windowButton(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From').fill('2026-01-02T03:04')
    await page.evaluate('scrollTo(0, 300)')
    await waitUntil(page, 'scrollY === 300')
    await mark(page)

    const other = await page.context().newPage()
    await other.goto('/settings')
    await choose(other, 'Network unit', 'Bits per second')
    await choose(other, 'Time format', '24 hours')
    // An open dialog hides the rest of the page from queries by role.
    await waitUntil(page, `[...document.querySelectorAll('td')].some(({ textContent }) => /bit\\/s$/.test(textContent))`)
    await choose(other, 'Language', 'Deutsch')
    await other.getByRole('heading', { name: 'Einstellungen', exact: true }).waitFor()
    await dialog.getByLabel('Von').waitFor()

    assert.equal(await dialog.getByLabel('Von').inputValue(), '2026-01-02T03:04')
    assert.equal(await page.evaluate('scrollY'), 300)
    assert.equal(await isSameDocument(page), true)
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    const table = page.getByRole('button', { name: 'Bandbreite: Zahlen zeigen', pressed: true })
    assert.equal(await table.count(), 1)
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
    await auditPage(page, 'a page after its language has changed')
    await choose(other, 'Sprache', 'English')
    await page.getByRole('region', { name: 'Bandwidth', exact: true }).waitFor()
  })

  test('language change applies to the settings page and All Systems without a new document', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.getByRole('row', { name: /gauge/ }).waitFor()
    await page.getByLabel('Filter systems').fill('gau')
    await mark(page)
    const settings = await page.context().newPage()
    await settings.goto('/settings')
    await mark(settings)
    await choose(settings, 'Language', 'Deutsch')
    await settings.getByRole('heading', { name: 'Einstellungen', exact: true }).waitFor()
    assert.equal(await isSameDocument(settings), true)
    assert.equal(await settings.title(), 'Einstellungen / Vedette')
    await page.getByRole('heading', { name: 'Alle Systeme' }).waitFor()
    await page
      .getByRole('row', { name: /gauge/ })
      .getByText(/\d,\d\s%/)
      .first()
      .waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'gau')
    assert.equal(await isSameDocument(page), true)
  })
})
