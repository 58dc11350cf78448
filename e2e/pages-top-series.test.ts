import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { settingsStored } from './stored-settings.ts'
import { richMachine } from './rich-machine.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const [CONTAINERS, SENSORS] = [30, 8]

/** CPU usage grows with the number of the container: 0.1 % to 3 %. */
const machine: Sample = {
  ...richMachine,
  temperatures: Object.fromEntries(Array.from({ length: SENSORS }, (_, index) => [`sensor${index}`, 30 + index])),
  containers: Array.from({ length: CONTAINERS }, (_, index) => ({
    name: `job${index}`,
    id: `c0ffee${index}`.padEnd(12, '0'),
    cpuPercent: (index + 1) / 10,
    memoryBytes: 1024 ** 2,
    sentBytesPerSecond: 0,
    receivedBytesPerSecond: 0,
  })),
}

describe('number of chart series drawn by name', { timeout: 5 * STEP_MS }, () => {
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = await startPagesHub({
      async prepare(stores) {
        const nowMs = Date.now()
        const samples = moments(nowMs - HOUR_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample: machine }))
        await addPastSystem(stores, { name: 'gauge', port: 1, status: 'paused', samples })
      },
    })
    admin = await hub.createAdmin()
  })

  after(async () => {
    assert.deepEqual(hub.pageErrors, [])
    await hub[Symbol.asyncDispose]()
  })

  const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
  const choice = (page: Page, title: string, name: string) =>
    card(page, title).getByRole('group', { name: 'Series drawn by name' }).getByRole('button', { name, exact: true })

  test('stacked chart sums the other series, the temperature chart omits and counts them, and the account stores the choice', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const cpu = card(page, 'Docker CPU Usage')
    await cpu.locator('canvas').waitFor()
    // Charts of containers and temperatures have the choice; charts with 5 series or fewer do not.
    for (const title of ['Docker CPU Usage', 'Docker Memory Usage', 'Docker Network I/O', 'Temperature']) {
      await choice(page, title, 'All').waitFor()
    }
    assert.equal(await card(page, 'Total CPU Usage').getByRole('group').count(), 0)
    // By default 20 series and the sum of the others are drawn, 6 of them in the legend. The sum is 0.1 + 0.2 + … + 1 %.
    await cpu.getByRole('button', { name: '15 more' }).click()
    await cpu.getByRole('button', { name: '10 others 5.5 %', exact: true }).waitFor()
    await choice(page, 'Docker CPU Usage', '20').and(page.locator('[aria-pressed=true]')).waitFor()
    await choice(page, 'Docker CPU Usage', '5').click()
    // 0.1 + 0.2 + … + 2.5 %.
    await cpu.getByRole('button', { name: '25 others 32.5 %', exact: true }).waitFor()
    assert.deepEqual(await cpu.getByRole('button', { name: /^job/ }).allTextContents(), [
      'job293 %',
      'job282.9 %',
      'job272.8 %',
      'job262.7 %',
      'job252.6 %',
    ])
    await card(page, 'Temperature').getByText('3 more series are not drawn', { exact: true }).waitFor()
    assert.deepEqual(
      await card(page, 'Temperature')
        .getByRole('button', { name: /^sensor/ })
        .count(),
      5,
    )
    await auditPage(page, 'top series')
    const other = await hub.openPage(admin, { viewport: { width: 360, height: 780 } })
    await other.goto('/system/gauge')
    await card(other, 'Docker CPU Usage')
      .getByRole('button', { name: /^25 others/ })
      .waitFor()
    assert.equal(await other.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await other.close()
  })

  test('table has every series, and all series can be drawn again', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    await card(page, 'Docker CPU Usage')
      .getByRole('button', { name: /^25 others/ })
      .waitFor()
    await page.getByRole('button', { name: 'Docker CPU Usage: show the numbers' }).click()
    await card(page, 'Docker CPU Usage').getByRole('columnheader', { name: 'job0', exact: true }).waitFor()
    const stored = settingsStored(page)
    await choice(page, 'Docker CPU Usage', 'All').click()
    await card(page, 'Docker CPU Usage')
      .getByRole('button', { name: /^25 others/ })
      .waitFor({ state: 'detached' })
    await stored
    await page.reload()
    await choice(page, 'Docker CPU Usage', 'All').and(page.locator('[aria-pressed=true]')).waitFor()
  })
})
