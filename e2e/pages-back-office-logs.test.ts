import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { choose } from './choose.ts'
import { auditPage } from './pages-audit.ts'
import { ADMIN, startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

/** The back-office pages of logged requests and of scheduled jobs. */
describe('log and jobs of the back-office', { timeout: 10 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub()
    admin = await hub.createAdmin()
    await hub.send(admin, 'GET', '/api/collections/systems/records')
    for (let at = 0; at < 60; at++) await hub.send(admin, 'GET', `/api/collections/users/records?page=${at}`)
    await fetch(`${hub.address}/api/settings`)
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await hub[Symbol.asyncDispose]()
  })

  const open = async (hash: string) => {
    const page = await hub.openPage(admin)
    await page.goto(`/_/${hash}`)
    return page
  }

  test('log lists requests, filters them by the address, opens an entry, and exports CSV', async () => {
    await using page = await open('#/logs')
    const list = page.getByRole('list', { name: 'Logs' })
    await list.getByRole('button').nth(49).waitFor()
    await page.getByRole('button', { name: 'Show older' }).click()
    await list.getByRole('button').nth(50).waitFor()
    await choose(page, 'Status', '4xx')
    const refused = list.getByRole('button').filter({ hasText: '/api/settings' })
    await refused.waitFor()
    assert.equal(await list.getByRole('button').count(), 1)
    assert.match(page.url(), /status=4xx/)
    await refused.click()
    const sheet = page.getByRole('dialog', { name: 'Entry' })
    await sheet.getByText('The request requires valid record authorization token.').waitFor()
    assert.match(page.url(), /logId=l\d{14}/)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const saved = await saving
    assert.equal(saved.suggestedFilename(), 'logs.csv')
    const lines = readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    assert.deepEqual([lines.length, lines[1]?.includes('/api/settings')], [2, true])
  })

  test('log shows users by name, and a drag over the histogram selects a time range', async () => {
    await using page = await open('#/logs?kind=request')
    await page.getByRole('list', { name: 'Logs' }).getByText(ADMIN).first().waitFor()
    await choose(page, 'User', ADMIN)
    await page.waitForURL(/user=/)
    const bars = page.getByRole('img', { name: /entries/ })
    const box = await bars.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + 5, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 30)
    await page.mouse.up()
    await page.waitForURL(/from=\d+&to=\d+/)
    assert.equal(await page.getByRole('button', { name: 'Follow' }).isDisabled(), true)
    await page.getByRole('button', { name: /^All,/ }).click()
    await page.waitForURL((url) => !url.hash.includes('from='))
  })

  test('§9 selects: the list of a filter is at most 24rem high and 10 px from the window’s edge, and is used by keyboard', async () => {
    await using page = await open('#/logs')
    const status = page.getByRole('combobox', { name: 'Status' })
    const list = page.getByRole('listbox')
    await status.focus()
    await page.keyboard.press('Enter')
    await list.waitFor()
    const rem = await page.evaluate<number>('parseFloat(getComputedStyle(document.documentElement).fontSize)')
    assert.equal((await list.boundingBox())?.height, 24 * rem)
    const highlighted = (choice: string) => list.locator('[data-highlighted]').getByText(choice, { exact: true }).waitFor()
    await page.keyboard.type('429')
    await highlighted('429')
    await page.keyboard.press('ArrowUp')
    await highlighted('404')
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    await page.waitForURL(/status=404/)
    await status.getByText('404', { exact: true }).waitFor()
    await page.locator('[role=combobox]:focus').and(status).waitFor()
    await page.keyboard.press('ArrowDown')
    await list.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.waitForURL(/status=404/)
    await page.setViewportSize({ width: 1000, height: 420 })
    await status.click()
    const box = await list.boundingBox()
    assert.ok(box !== null && box.y >= 10 && box.y + box.height <= 410, JSON.stringify(box))
  })

  test('filter of the log is set by touch on a phone in German; an unlisted value in the address is shown', async () => {
    await using page = await hub.openPage(admin, { locale: 'de-DE', viewport: { width: 360, height: 800 }, hasTouch: true, isMobile: true })
    await page.goto('/_/#/logs?status=418')
    const status = page.getByRole('combobox', { name: 'Status' })
    await status.getByText('418', { exact: true }).waitFor()
    await status.tap()
    const list = page.getByRole('listbox')
    await list.waitFor()
    const box = await list.boundingBox()
    assert.ok(box !== null && box.x >= 10 && box.x + box.width <= 350, JSON.stringify(box))
    await page.getByRole('option', { name: '5xx', exact: true }).tap()
    await page.waitForURL(/status=5xx/)
    await list.waitFor({ state: 'detached' })
    await status.tap()
    await page.getByRole('option', { name: 'Jeder Status', exact: true }).tap()
    await page.waitForURL((url) => !url.hash.includes('status='))
    await auditPage(page, 'the filters in German')
  })

  test('invalid filter is marked at its error; a filter without matches says so', async () => {
    await using page = await open('#/logs?filter=data.status >= (')
    await page.getByRole('alert').filter({ hasText: 'It stops at character' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter' }).fill('data.status = 599')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('No entry matches.').waitFor()
  })

  test('followed log shows new entries until it is paused', async () => {
    await using page = await open('#/logs?text=realtime-mark')
    await page.getByText('No entry matches.').waitFor()
    const subscribed = page.waitForResponse(
      (response) => response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
    )
    await page.getByRole('button', { name: 'Follow' }).click()
    await subscribed
    await fetch(`${hub.address}/api/settings`, { headers: { 'user-agent': 'realtime-mark' } })
    const list = page.getByRole('list', { name: 'Logs' })
    await list.getByRole('button').filter({ hasText: '/api/settings' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Follow' }).waitFor()
  })

  test('log retention is set on the page of the log, and an invalid value is refused at its field', async () => {
    await using page = await open('#/logs')
    await page.getByRole('button', { name: 'Log retention' }).click()
    const sheet = page.getByRole('dialog', { name: 'Log retention' })
    await sheet.getByLabel('Days', { exact: true }).fill('-3')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.getByText('Must be a whole number from 0 to 3650.').waitFor()
    await sheet.getByLabel('Days', { exact: true }).fill('30')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
  })

  test('job runs on demand, after a confirmation if it deletes data, and shows its result', async () => {
    await using page = await open('#/settings/crons')
    await page.getByRole('heading', { level: 1, name: 'Scheduled jobs' }).waitFor()
    await page.getByText('No schedule: it runs only when it is started here.').waitFor()
    await page.getByRole('button', { name: 'Run now: Expired sessions' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Deleted data cannot be restored.').waitFor()
    await question.getByRole('button', { name: 'Run now' }).click()
    await question.waitFor({ state: 'detached' })
    const job = page.getByRole('listitem').filter({ hasText: 'Expired sessions' })
    await job.getByText(/^Last: .*: nothing to do$/).waitFor()
    await page.goto('/_/#/audit?target=jobs')
    await page.getByText('run · jobs · sessions').waitFor()
  })

  test('log, log entry and jobs are accessible in both themes at every width', async () => {
    await using page = await open('#/logs')
    await page.getByRole('img', { name: /entries/ }).waitFor()
    await auditPage(page, 'the log')
    await page.getByRole('list', { name: 'Logs' }).getByRole('button').first().click()
    await page.getByRole('dialog', { name: 'Entry' }).waitFor()
    await auditPage(page, 'an entry of the log')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Log retention' }).click()
    await page.getByRole('dialog').getByLabel('Days', { exact: true }).waitFor()
    await auditPage(page, 'what is kept of the log')
    await page.goto('/_/#/settings/crons')
    await page
      .getByRole('button', { name: /^Run now:/ })
      .first()
      .waitFor()
    await auditPage(page, 'the jobs')
  })
})
