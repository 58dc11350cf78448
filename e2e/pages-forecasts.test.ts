import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { machineSample } from '../hub/test/scripted-agent.ts'
import { clockFrom } from './clocked-hub.ts'
import { clockedSystem, type ClockedSystem } from './clocked-system.ts'
import { auditPage } from './pages-audit.ts'
import { STEP_MS } from './pages-hub.ts'
import { moments } from './past-samples.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 5, 12, 12, 30)

/** A disk that grows by 2 % an hour, and will be full in 5 h. */
const diskAt = (atMs: number) => ({
  ...machineSample,
  rootDisk: { ...machineSample.rootDisk, usedPercent: 90 + ((atMs - NOW_MS) / HOUR_MS) * 2 },
})

describe('forecasts', { timeout: 4 * STEP_MS }, () => {
  let scene: ClockedSystem
  let page: Page

  before(async () => {
    const samples = moments(NOW_MS - 20 * HOUR_MS, NOW_MS, 60_000).map((atMs) => ({ atMs, sample: diskAt(atMs) }))
    scene = await clockedSystem({ clock: clockFrom(NOW_MS), sample: () => diskAt(NOW_MS), samples })
    page = await scene.open('/system/gauge')
  })
  after(() => scene[Symbol.asyncDispose]())

  test('the sheet sets a forecast without minutes, the preview shows it, and the incident has its hours', async () => {
    await page.getByRole('button', { name: 'Alerts', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Alerts for gauge' })
    await sheet.getByRole('button', { name: 'More alerts' }).click()
    const stored = page.waitForResponse((response) => response.url().endsWith('/api/beszel/user-alerts'))
    await sheet.getByRole('switch', { name: 'Disk forecast' }).click()
    assert.partialDeepStrictEqual((await stored).request().postDataJSON(), { name: 'DiskForecast', value: 48 })
    await sheet.getByText('When the expected time until a disk is full is below 48 h').waitFor()
    const card = sheet.getByRole('listitem').filter({ hasText: 'Disk forecast' })
    assert.equal(await card.getByRole('slider', { name: 'Duration' }).count(), 0)
    await card.getByText(/^Would have fired once, /).waitFor()
    await sheet.getByRole('switch', { name: 'Disk growth' }).click()
    await sheet.getByText("When the growth of a disk's usage is above 5 %/h on average over 10 min").waitFor()
    await sheet
      .getByRole('listitem')
      .filter({ hasText: 'Disk growth' })
      .getByText(/^Would not have fired/)
      .waitFor()
    await auditPage(page, 'forecasts in the sheet of alerts')
    // The hub evaluates forecasts every minute for new rules.
    await sheet.getByRole('listitem').filter({ hasText: 'Disk forecast' }).getByText('firing', { exact: true }).waitFor({ timeout: 90_000 })
    await page.keyboard.press('Escape')
    await page.goto('/alerts')
    await page.getByText(/^full in 5(?:\.\d)? h, threshold 48 h/).waitFor()
  })
})
