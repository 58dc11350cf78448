import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

/** What a person does with one chart of a system's page. */
describe('a chart', { timeout: 8 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true }).first()
  const openSystem = async (path = '/system/gauge') => {
    const page = await hub.openPage(admin)
    await page.goto(path)
    await page.locator('canvas').first().waitFor()
    return page
  }

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    const agent = await hub.startAgent('gauge')
    await hub.addSystem(admin, { name: 'gauge', port: agent.port })
    const page = await hub.openPage(admin)
    await page.goto('/')
    await page.locator('[data-health=up]').waitFor()
  })

  after(() => hub[Symbol.asyncDispose]())

  test('its numbers show as a table, and are saved as CSV with every digit and their times in UTC', async () => {
    const page = await openSystem()
    const card = cardOf(page, 'Total Memory Usage')
    const save = card.getByRole('button', { name: 'Save the numbers of Total Memory Usage as CSV' })
    assert.equal(await save.count(), 0)
    await card.getByRole('button', { name: 'Total Memory Usage: show the numbers' }).click()
    const saved = page.waitForEvent('download')
    await save.click()
    const download = await saved
    assert.equal(download.suggestedFilename(), 'gauge-Total-Memory-Usage.csv')
    const [heading = '', ...rows] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.match(heading, /^time,used \(bytes\)/)
    assert.equal(rows.length, await card.locator('tbody tr').count())
    for (const row of rows) assert.match(row, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,\d+/)
    // The button's tooltip goes with the pointer.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await auditPage(page, 'a chart as a table')
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
