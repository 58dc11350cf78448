import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ContainerSample } from '@vedette/protocol/metrics/sample'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { settingsStored } from './stored-settings.ts'

const MINUTE_MS = 60_000
const MEBIBYTE = 1024 * 1024

const container = (name: string, id: string, more: Partial<ContainerSample> = {}): ContainerSample => ({
  name,
  id: id.repeat(12),
  cpuPercent: 1,
  memoryBytes: 64 * MEBIBYTE,
  sentBytesPerSecond: 0,
  receivedBytesPerSecond: 0,
  diskReadBytesPerSecond: 1024,
  diskWrittenBytesPerSecond: 2048,
  image: 'example/image',
  status: 'Up 2 hours',
  ...more,
})

const { cpuPercent: _, ...fresh } = container('shop-worker', 'c')

/** Two projects, and a container without project. The CPU of `shop-worker` is unknown. */
const containers: readonly ContainerSample[] = [
  container('blog-web', 'a', { composeProject: 'blog', restarts: 0 }),
  container('shop-web', 'b', { composeProject: 'shop', restarts: 3, cpuPercent: 2.5 }),
  { ...fresh, composeProject: 'shop', restarts: 1 },
  container('single', 'd'),
]

describe('containers grouped by project on the page of their system', { timeout: 8 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const nowMs = Date.now()
          const sample = () => ({ ...machineSample, agentVersion: ANNOUNCED_VERSION, takenAtMs: Date.now(), containers })
          const { port } = made.use(await sshAgent(stores.key.publicLine, sample))
          const samples = moments(nowMs - 10 * MINUTE_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample: sample() }))
          await addPastSystem(stores, { name: 'gauge', port, samples })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  async function openContainers(page: Page, search = '') {
    await page.goto(`/system/gauge${search}`)
    const table = page.getByRole('region', { name: 'Containers', exact: true })
    await page.locator('canvas').first().waitFor()
    while ((await table.count()) === 0) await page.mouse.wheel(0, 20_000)
    return table
  }

  test('groups of containers show sums with the number of unknown values, collapse by keyboard, and are remembered', async () => {
    await using page = await hub.openPage(admin)
    const table = await openContainers(page)
    const row = (name: string) => table.getByRole('row').filter({ hasText: name })
    await row('shop-web').waitFor()
    const group = table.getByRole('button', { name: 'Group by project' })
    assert.equal(await group.getAttribute('aria-pressed'), 'false')
    const stored = settingsStored(page)
    await group.press('Enter')
    await stored
    const projects = table.getByRole('rowheader')
    await projects.first().waitFor()
    assert.deepEqual(await projects.allInnerTexts(), ['blog\n1\n1 container', 'shop\n2\n2 containers', 'No project\n1\n1 container'])
    const shop = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'shop 2 containers' }) })
    const sums = await shop.getByRole('cell').allInnerTexts()
    assert.match(sums[0] ?? '', /^≥ 2\.5\s%\s*\(1 container is not in the sum: its value is unknown\)$/)
    assert.match(sums[1] ?? '', /^128\sMB$/)
    const fold = shop.getByRole('button')
    assert.equal(await fold.getAttribute('aria-expanded'), 'true')
    await fold.press('Space')
    await row('shop-web').waitFor({ state: 'detached' })
    assert.equal(await row('blog-web').count(), 1)
    await fold.press('Space')
    await row('shop-web').waitFor()
    await table.getByRole('button', { name: 'CPU', exact: true }).click()
    assert.deepEqual(
      (await projects.allInnerTexts()).map((text) => text.split('\n')[0]),
      ['shop', 'blog', 'No project'],
    )
    assert.match(page.url(), /containersGroup=project/)
    await auditPage(page, 'containers grouped by project')
    await using again = await hub.openPage(admin)
    await (await openContainers(again)).getByRole('rowheader', { name: 'shop 2 containers' }).waitFor()
    await using plain = await hub.openPage(admin)
    const list = await openContainers(plain, '?containersGroup=none')
    await list.getByRole('row').filter({ hasText: 'shop-web' }).waitFor()
    assert.equal(await list.getByRole('rowheader').count(), 0, 'the address wins')
    assert.deepEqual(hub.pageErrors, [])
  })

  test('list of containers shows 0 restarts as 0, and an unknown number as unknown', async () => {
    await using page = await hub.openPage(admin)
    await page.setViewportSize({ width: 1440, height: 900 })
    const table = await openContainers(page, '?containersGroup=none')
    await table.getByRole('row').filter({ hasText: 'shop-web' }).waitFor()
    const headings = await table.getByRole('columnheader').allInnerTexts()
    const at = headings.findIndex((text) => text.trim() === 'Restarts')
    assert.ok(at > 0)
    const restarts = async (name: string) => (await table.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts())[at]
    assert.deepEqual([await restarts('blog-web'), await restarts('shop-web'), await restarts('single')], ['0', '3', '–'])
    await table.getByRole('button', { name: 'Inspect shop-web' }).click()
    await page.getByRole('dialog').getByText('3 restarts by the container engine.').waitFor()
  })

  test("chart of the containers' disk I/O is drawn", async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const chart = page.getByRole('region', { name: 'Docker Disk I/O', exact: true })
    await chart.scrollIntoViewIfNeeded()
    await chart.getByRole('slider').waitFor()
    await chart.getByRole('button', { name: 'shop-web' }).getByText('3 kB/s').waitFor()
    assert.deepEqual(hub.pageErrors, [])
  })
})
