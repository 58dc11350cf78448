import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, waitUntil, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

/** Columns that a user hides and moves. The account stores them. */
describe('columns of tables', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const headings = async (page: Page) => {
    await page.getByRole('columnheader').first().waitFor()
    return (await page.getByRole('columnheader').allTextContents()).filter((text) => text !== '' && text !== 'Actions')
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => hub[Symbol.asyncDispose]())

  test('All Systems: columns are hidden and moved by keyboard, without delay and in every browser of the user', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/')
    await page.locator('[data-health=up]').waitFor()
    const before = await headings(page)
    assert.deepEqual(before.slice(0, 4), ['System', 'CPU', 'Last hour', 'Memory'])
    await page.getByRole('button', { name: 'Columns' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    const hidden = settingsStored(page)
    await dialog.getByRole('checkbox', { name: 'Last hour' }).press('Space')
    await hidden
    const moved = settingsStored(page)
    await dialog.getByRole('button', { name: 'Move Memory up' }).press('Enter')
    await moved
    const movedAgain = settingsStored(page)
    await dialog.getByRole('button', { name: 'Move Memory up' }).press('Enter')
    await movedAgain
    assert.equal(await dialog.getByRole('button', { name: 'Move Memory up' }).isDisabled(), true)
    await dialog.getByRole('button', { name: 'Done' }).click()
    const after = ['System', 'Memory', 'CPU', ...before.slice(4)]
    assert.deepEqual(await headings(page), after)
    const cells = await page.locator('[data-health=up] td').count()
    assert.equal(cells, after.length)
    await using elsewhere = await hub.openPage(admin)
    await elsewhere.goto('/')
    await elsewhere.locator('[data-health=up]').waitFor()
    await waitUntil(elsewhere, `document.querySelectorAll('thead th')[1].textContent === 'Memory'`)
    assert.deepEqual(await headings(elsewhere), after)
    await elsewhere.getByRole('button', { name: 'Columns' }).click()
    const reset = settingsStored(elsewhere)
    await elsewhere.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Reset' }).click()
    await reset
    await elsewhere.keyboard.press('Escape')
    assert.deepEqual(await headings(elsewhere), before)
  })

  test('records: the account stores the columns of a collection; columns in the address take precedence', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/_/#/collections?collection=systems')
    const name = (text: string) => page.getByRole('columnheader').filter({ hasText: text })
    await name('host').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    const stored = settingsStored(page)
    await dialog.getByRole('checkbox', { name: 'host', exact: true }).uncheck()
    await stored
    await auditPage(page, 'columns of records')
    await page.goto('/_/#/collections?collection=users')
    await name('email').waitFor()
    await page.goto('/_/#/collections?collection=systems')
    await name('status').waitFor()
    assert.equal(await name('host').count(), 0)
    await page.goto('/_/#/collections?collection=systems&columns=port,host')
    await name('port').waitFor()
    assert.deepEqual(await headings(page), ['port', 'host'])
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
