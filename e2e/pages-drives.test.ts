import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { DiskHealth } from '@vedette/protocol/metrics/disk-health'
import { encodeSmartDevices } from '@vedette/protocol/wire/smart'
import type { Page } from 'playwright-core'
import { answering, behavingSshAgent, documentReply, machineSample } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'

const MINUTE_MS = 60_000

const drive = (name: string, celsius: number, used: number): DiskHealth => ({
  id: `serial-${name}`,
  device: `/dev/${name}`,
  model: 'Example disk',
  serial: `serial-${name}`,
  status: 'PASSED',
  celsius,
  attributes: [
    { name: 'PercentageUsed', raw: used },
    { name: 'Power_On_Hours', raw: 1234 },
  ],
})

describe('the history of drives on the page of their system', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session
  const nowMs = Date.now()

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const drives = [drive('sda', 31, 4), drive('sdb', 40, 7)]
          const activity = { readPercent: 10, writePercent: 90, utilisationPercent: 60, weightedPercent: 150 }
          const rootDisk = { totalBytes: 8e9, usedBytes: 2e9, usedPercent: 25, activity }
          const gpus = { card0: { name: 'Example GPU', packagePowerWatts: 21 } }
          const sample = () => ({ ...machineSample, rootDisk, gpus, takenAtMs: Date.now() })
          const behave = answering(({ request: { action } }) =>
            action === 'smart' ? { kind: 'smart', devices: encodeSmartDevices(drives), complete: true } : documentReply(sample()),
          )
          const { port } = made.use(await behavingSshAgent(stores.key.publicLine, { behave }))
          const minute = (back: number) => nowMs - back * MINUTE_MS
          // Readings 100 and 20 minutes ago. The system was down from 40 to 30 minutes ago.
          const samples = [...moments(minute(100), minute(40), MINUTE_MS), ...moments(minute(30), nowMs, MINUTE_MS)].map((atMs) => ({
            atMs,
            sample: sample(),
            ...(atMs === minute(100) ? { drives: [drive('sda', 25, 4), drive('sdb', 35, 7)] } : {}),
            ...(atMs === minute(20) ? { drives } : {}),
          }))
          await addPastSystem(stores, { name: 'gauge', port, samples })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  async function scrollToDrives(page: Page) {
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    const list = page.getByRole('region', { name: 'Drives', exact: true })
    while ((await list.count()) === 0) await page.mouse.wheel(0, 20_000)
    await list.getByRole('row').filter({ hasText: '/dev/sda' }).waitFor()
  }

  test('drive temperature and wear are drawn when visible, repeat a reading until the next one, and leave outages empty', async () => {
    await using page = await hub.openPage(admin)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('kind=drives') && asked.push(request.url()))
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    assert.deepEqual(asked, [], 'nothing is read before it is seen')
    await scrollToDrives(page)
    const card = (name: string) => page.getByRole('region', { name, exact: true })
    const temperatures = card('Drive temperatures')
    await temperatures.scrollIntoViewIfNeeded()
    await temperatures.getByRole('slider').waitFor()
    await card('Drive wear').getByRole('slider').waitFor()
    assert.equal(asked.length, 1)
    await temperatures.getByRole('button', { name: 'sdb' }).waitFor()
    await temperatures.getByRole('button', { name: 'Drive temperatures: show the numbers' }).click()
    const downloading = page.waitForEvent('download')
    await temperatures.getByRole('button', { name: 'Save the numbers of Drive temperatures as CSV' }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    const [heading = '', ...rows] = csv.trim().split('\r\n')
    assert.equal(heading, 'time,/dev/sda (Celsius),/dev/sdb (Celsius)')
    const values = rows.map((row) => ({ back: (nowMs - Date.parse(row.split(',')[0] ?? '')) / MINUTE_MS, row: row.replace(/^[^,]*,/, '') }))
    const [before, since] = [values.filter(({ back }) => back > 40), values.filter(({ back }) => back <= 20)]
    assert.equal(before.length + since.length, values.length, 'nothing is known from the outage on until the next reading')
    assert.ok(before.length > 5 && before.every(({ row }) => row === '25,35'), 'the reading from before the window holds')
    assert.ok(since.length > 15 && since.every(({ row }) => row === '31,40'))
    await auditPage(page, 'drives')
    assert.deepEqual(hub.pageErrors, [])
  })

  test('queue depth of a disk and power of a package are drawn', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    await page.locator('canvas').first().waitFor()
    const queue = page.getByRole('region', { name: 'Root disk: queue depth', exact: true })
    while ((await queue.count()) === 0) await page.mouse.wheel(0, 20_000)
    await queue
      .getByText(/^1\.50?$/)
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'GPU card0: power', exact: true }).getByText('21').first().waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })
})
