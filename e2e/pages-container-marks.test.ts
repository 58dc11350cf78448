import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'
import { addPastSystem, moments } from './past-samples.ts'

const MINUTE_MS = 60_000
const MEBIBYTE = 1024 * 1024

const container = (name: string, id: string) => ({
  name,
  id,
  cpuPercent: 1,
  memoryBytes: 64 * MEBIBYTE,
  sentBytesPerSecond: 0,
  receivedBytesPerSecond: 0,
  image: 'example/image',
  status: 'Up 2 hours',
})

/** Events of many containers within 30 s. */
const crowd = (fromMs: number) =>
  Array.from({ length: 150 }, (_, index) => ({ atMs: fromMs + index * 200, container: `job-${index}`, exitCode: 1, outOfMemory: false }))

describe('container exits and limits on the page of their system', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const startedMs = Date.now()
          const sample = () => ({
            ...machineSample,
            takenAtMs: Date.now(),
            containers: [
              { ...container('limited', 'aaaaaaaaaaaa'), memoryLimitBytes: 128 * MEBIBYTE, cpuLimitCpus: 1.5 },
              container('free', 'bbbbbbbbbbbb'),
            ],
            containerEvents: [
              { atMs: startedMs - 20 * MINUTE_MS, container: 'limited', exitCode: 137, outOfMemory: true },
              { atMs: startedMs - 10 * MINUTE_MS, container: 'job', exitCode: 3, outOfMemory: false },
            ],
          })
          const { port } = made.use(await sshAgent(stores.key.publicLine, sample))
          const samples = moments(startedMs - 50 * MINUTE_MS, startedMs, MINUTE_MS).map((atMs) => ({ atMs, sample: sample() }))
          await addPastSystem(stores, { name: 'gauge', port, samples })
          const ended = { ...sample(), containerEvents: crowd(startedMs - 30 * MINUTE_MS) }
          const crowded = made.use(await sshAgent(stores.key.publicLine, () => ended))
          await addPastSystem(stores, { name: 'crowded', port: crowded.port, samples })
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  test('charts of containers mark a container that exited or was killed because of memory', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const chart = (title: string) => page.getByRole('region', { name: title, exact: true }).getByRole('slider')
    const ofContainers = chart('Docker Memory Usage')
    await ofContainers.and(page.getByLabel('Killed for memory: limited, exit code 137')).waitFor()
    assert.match((await ofContainers.getAttribute('aria-label')) ?? '', /Container ended: job, exit code 3 /)
    assert.doesNotMatch((await chart('Total CPU Usage').getAttribute('aria-label')) ?? '', /Container ended|Killed/)
    assert.deepEqual(hub.pageErrors, [])
  })

  test('tooltip of many container exits at one point names some of them and counts the others', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/crowded')
    const card = page.getByRole('region', { name: 'Docker Memory Usage', exact: true })
    await card
      .getByRole('slider')
      .and(page.getByLabel(/Container ended: job-0/))
      .waitFor()
    const before = await page.evaluate<number>('document.documentElement.scrollHeight')
    const box = await card.locator('.u-over').boundingBox()
    assert.ok(box !== null)
    const tooltip = card.locator('.absolute[aria-hidden=true]')
    const counted = tooltip.getByText(/^\+\d+$/)
    // The events are 30 minutes old, and the window is at most an hour long.
    for (let x = box.width - 2; x > 0 && (await counted.count()) === 0; x -= 4) {
      await card.locator('.u-over').hover({ position: { x, y: box.height / 2 } })
      await tooltip.waitFor()
      const { height = 0 } = (await tooltip.boundingBox()) ?? {}
      assert.ok(height < 300, `the tooltip is ${height} px high`)
    }
    await counted.waitFor()
    assert.equal(await page.evaluate<number>('document.documentElement.scrollHeight'), before)
    assert.deepEqual(hub.pageErrors, [])
  })

  test('list of containers shows their limits', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const table = page.getByRole('region', { name: 'Containers', exact: true })
    const row = (name: string) => table.getByRole('row').filter({ hasText: name })
    await page.locator('canvas').first().waitFor()
    // Charts and lists further down load on scroll, which makes the page longer.
    while ((await table.count()) === 0) await page.mouse.wheel(0, 20_000)
    await row('limited').getByText('of 128 MB').waitFor()
    assert.equal(
      await row('free')
        .getByText(/\bof\b/)
        .count(),
      0,
    )
    const limit = await row('limited').locator('[data-tooltip^=Limit]').getAttribute('data-tooltip')
    assert.match(limit ?? '', /^Limit: 1\.50? CPUs$/)
  })
})
