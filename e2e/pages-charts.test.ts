import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { windowButton } from './window-button.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS
const GIGABYTE = 1024 ** 3

/** Samples of a machine whose disk fills up and is emptied again. */
const pastSamples = (times: readonly number[]) =>
  times.map((atMs, index) => {
    const rootDisk = { ...machineSample.rootDisk, usedBytes: (30 + (index % 7)) * GIGABYTE }
    return { atMs, sample: { ...machineSample, rootDisk } }
  })

/** User actions on one chart of a system's page. */
describe('a chart', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
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
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const nowMs = Date.now()
          // The machine started a quarter of an hour ago.
          const { port } = made.use(await sshAgent(stores.key.publicLine, () => ({ ...machineSample, uptimeSeconds: 900 })))
          const lastDays = moments(nowMs - 4 * DAY_MS, nowMs, 5 * MINUTE_MS)
          await addPastSystem(stores, { name: 'old', port, samples: pastSamples(lastDays) })
          const isHeard = (atMs: number) => atMs <= nowMs - 30 * MINUTE_MS || atMs >= nowMs - 20 * MINUTE_MS
          const samples = pastSamples(moments(nowMs - 45 * MINUTE_MS, nowMs, MINUTE_MS).filter(isHeard))
          await addPastSystem(stores, { name: 'silent', port, samples })
          const statuses = [
            { atMs: nowMs - 30 * MINUTE_MS, status: 'down', why: 'Nothing listens at its address' },
            { atMs: nowMs - 20 * MINUTE_MS, status: 'up' },
          ] as const
          await addPastSystem(stores, { name: 'fallen', port, samples, statuses })
        },
      }),
    )
    admin = await hub.createAdmin()
    await hub.watchMachine(admin, 'gauge')
  })

  after(() => made.disposeAsync())

  test('chart is drawn in a browser that was started under a POSIX locale', async () => {
    await using page = await hub.openPage(admin)
    await page.addInitScript("Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })")
    await page.goto('/system/gauge')
    await cardOf(page, 'Total Memory Usage').locator('canvas').waitFor()
  })

  test('chart shows its numbers as a table, and saves them as CSV with all digits and times in UTC', async () => {
    await using page = await openSystem()
    const card = cardOf(page, 'Total Memory Usage')
    const save = card.getByRole('button', { name: 'Save the numbers of Total Memory Usage as CSV' })
    assert.equal(await save.count(), 0)
    await card.getByRole('button', { name: 'Total Memory Usage: show the numbers' }).click()
    await card.getByText(/^Read from \/proc\/meminfo: /).waitFor()
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
    // The button's tooltip disappears with the pointer.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await auditPage(page, 'a chart as a table')
  })

  test('chart of a custom window shows minimum and maximum as a band, and in the tooltip, table and CSV file', async () => {
    await using page = await hub.openPage(admin)
    const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    await page.goto(`/system/old?from=${toMs - 3 * DAY_MS}&to=${toMs}`)
    const card = cardOf(page, 'Disk Usage')
    await card.locator('canvas').waitFor()
    const slider = card.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    // Drawing another chart does not move the crosshair.
    const last = cardOf(page, 'Bandwidth')
    await page.mouse.wheel(0, 10_000)
    await last.locator('canvas').waitFor()
    await card.getByText(/^, [\d.]+–[\d.]+ GB$/).waitFor()
    // The text also contains the start of the machine if it is within the time range.
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /used [\d.]+ GB, [\d.]+–[\d.]+ GB(?:, Machine started)?$/)
    await card.getByRole('button', { name: 'Disk Usage: show the numbers' }).click()
    const saved = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Save the numbers of Disk Usage as CSV' }).click()
    const [heading] = readFileSync(await (await saved).path(), 'utf8').split('\r\n')
    assert.equal(heading, 'time,used (bytes),used min (bytes),used max (bytes)')
    await card
      .getByRole('cell')
      .filter({ hasText: /^[\d.]+ GB, [\d.]+–[\d.]+ GB$/ })
      .first()
      .waitFor()
  })

  test('custom window is picked in the header, validated, shown, and written to the address', async () => {
    await using page = await openSystem()
    const opener = windowButton(page)
    const dialog = page.getByRole('dialog', { name: 'Pick a time' })
    await opener.click()
    await dialog.getByLabel('From').fill('2026-01-31T09:30')
    await dialog.getByLabel('To').fill('2026-01-31T09:30')
    await dialog.getByRole('button', { name: 'Show' }).click()
    await dialog.getByText('Has to be after the start').waitFor()
    await dialog.getByLabel('To').fill('2999-01-31T09:30')
    await dialog.getByText('Not in the future').waitFor()
    await auditPage(page, 'picking a time')
    await dialog.getByRole('button', { name: 'Yesterday' }).click()
    await dialog.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/from=\d+&to=\d+/)
    const { searchParams } = new URL(page.url())
    assert.ok([23, 24, 25].includes((Number(searchParams.get('to')) - Number(searchParams.get('from'))) / HOUR_MS))
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Back to the range' }).click()
    await page.locator('canvas').first().waitFor()
  })

  test('window moves by keys, by a drag of a chart with Shift, and by buttons; Back undoes a move', async () => {
    const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    const addressOf = (hours: number) => `**/system/old?from=${toMs + (hours - 4) * HOUR_MS}&to=${toMs + hours * HOUR_MS}`
    await using page = await openSystem()
    await page.goto(`/system/old?from=${toMs - 4 * HOUR_MS}&to=${toMs}`)
    const card = cardOf(page, 'Total Memory Usage')
    await card.locator('canvas').waitFor()
    const slider = card.getByRole('slider')
    await slider.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.waitForURL(addressOf(-1))
    await slider.focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.waitForURL(addressOf(0))
    await page.goBack()
    await page.waitForURL(addressOf(-1))
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.waitForURL(addressOf(-3))
    const box = await card.locator('.u-over').boundingBox()
    assert.ok(box !== null)
    await page.keyboard.down('Shift')
    await page.mouse.move(box.x + box.width / 2, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 4, box.y + 30, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await page.waitForURL(({ searchParams }) => Math.abs(Number(searchParams.get('to')) - (toMs - 2 * HOUR_MS)) < HOUR_MS / 10)
    // There is no data after now.
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Later' }).click()
    await page.waitForURL(({ searchParams }) => Math.abs(Number(searchParams.get('to')) - Date.now()) < HOUR_MS / 10)
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await auditPage(page, 'a moved window')
  })

  test('start of the machine and times without data are marked on every chart and listed below them', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/silent')
    const told = page.getByRole('region', { name: 'Events' }).getByRole('listitem')
    await told.nth(1).waitFor()
    const texts = await told.allInnerTexts()
    assert.equal(texts.length, 2)
    assert.match(texts[0] ?? '', /\d:\d\d:\d\d.*\s+Machine started$/)
    assert.match(texts[1] ?? '', /\d:\d\d.+–.+\d:\d\d.*\s+No data$/)
    const slider = cardOf(page, 'Total Memory Usage').getByRole('slider')
    await cardOf(page, 'Total Memory Usage').locator('canvas').waitFor()
    assert.match((await slider.getAttribute('aria-label')) ?? '', /No data .+ Machine started /)
    await slider.focus()
    for (let press = 0; press < 30 && !((await slider.getAttribute('aria-valuetext')) ?? '').endsWith(', No data'); press++)
      await page.keyboard.press('ArrowLeft')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /, No data$/)
    await auditPage(page, 'marks on charts')
  })

  test('downtime is marked with its reason if the hub stored it, and not at all by a hub without events', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/fallen')
    const told = page.getByRole('region', { name: 'Events' }).getByRole('listitem')
    await told.filter({ hasText: /–.+\s+Down: Nothing listens at its address$/ }).waitFor()
    // This hub stores events. Hubs of other projects do not have the route.
    await page.route('**/api/systems/*/events?*', (route) => route.fulfill({ status: 404, json: { status: 404, message: '', data: {} } }))
    const asked = page.waitForResponse(/\/events\?/)
    await page.reload()
    assert.equal((await asked).status(), 404)
    await page.locator('canvas').first().waitFor()
    assert.equal(await told.filter({ hasText: 'Down' }).count(), 0)
  })

  test('no page threw an error', () => assert.deepEqual(hub.pageErrors, []))
})
