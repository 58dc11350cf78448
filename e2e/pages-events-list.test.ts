import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { machineSample, sshAgent } from '../hub/test/scripted-agent.ts'
import { auditPage } from './pages-audit.ts'
import { addPastSystem, moments } from './past-samples.ts'
import { startPagesHub, STEP_MS, type PagesHub, type Session } from './pages-hub.ts'

const MINUTE_MS = 60_000
const EXITS = 2000

const sample = () => ({
  ...machineSample,
  takenAtMs: Date.now(),
  uptimeSeconds: 86_400,
  containers: [
    {
      name: 'limited',
      id: 'aaaaaaaaaaaa',
      cpuPercent: 1,
      memoryBytes: 64 * 1024 * 1024,
      sentBytesPerSecond: 0,
      receivedBytesPerSecond: 0,
      image: 'example/image',
      status: 'Up 2 hours',
    },
  ],
})

describe('the list of events on the page of a system', { timeout: 6 * STEP_MS }, () => {
  const made = new AsyncDisposableStack()
  let hub: PagesHub
  let admin: Session

  before(async () => {
    hub = made.use(
      await startPagesHub({
        async prepare(stores) {
          const nowMs = Date.now()
          const samples = moments(nowMs - 50 * MINUTE_MS, nowMs, MINUTE_MS).map((atMs) => ({ atMs, sample: sample() }))
          const add = async (name: string, containerEvents: ReturnType<typeof eventsOf>) => {
            const { port } = made.use(await sshAgent(stores.key.publicLine, () => ({ ...sample(), containerEvents })))
            await addPastSystem(stores, { name, port, samples })
          }
          await add('gauge', [
            { atMs: nowMs - 20 * MINUTE_MS, container: 'job', exitCode: 3, outOfMemory: false },
            { atMs: nowMs - 10 * MINUTE_MS, container: 'limited', exitCode: 137, outOfMemory: true },
          ])
          await add('crowded', eventsOf(nowMs - 30 * MINUTE_MS))
        },
      }),
    )
    admin = await hub.createAdmin()
  })

  after(() => made.disposeAsync())

  /** Exits of many containers, a tenth of a second apart. */
  const eventsOf = (fromMs: number) =>
    Array.from({ length: EXITS }, (_, index) => ({
      atMs: fromMs + index * 100,
      container: `job-${index}`,
      exitCode: 1,
      outOfMemory: false,
    }))

  test('list shows container exits and out-of-memory kills with time, name and exit code, newest first', async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/gauge')
    const list = page.getByRole('region', { name: 'Events', exact: true })
    await list.getByRole('listitem').nth(1).waitFor()
    const texts = await list.getByRole('listitem').allInnerTexts()
    assert.equal(texts.length, 2, texts.join('\n'))
    assert.match(texts[0] ?? '', /\d:\d\d:\d\d.*\s+Killed for memory: limited, exit code 137$/)
    assert.match(texts[1] ?? '', /\d:\d\d:\d\d.*\s+Container ended: job, exit code 3$/)
    assert.equal(await list.getByRole('button').count(), 0)
    await auditPage(page, 'events of containers')
    assert.deepEqual(hub.pageErrors, [])
  })

  test("list of thousands of events shows the last ten, and a button loads more and shows the rest's number", async () => {
    await using page = await hub.openPage(admin)
    await page.goto('/system/crowded')
    const list = page.getByRole('region', { name: 'Events', exact: true })
    const items = list.getByRole('listitem')
    await items.filter({ hasText: `job-${EXITS - 1}, exit code 1` }).waitFor()
    assert.equal(await items.count(), 10)
    assert.match((await items.allInnerTexts())[0] ?? '', new RegExp(`job-${EXITS - 1}, `))
    const button = list.getByRole('button', { name: `${EXITS - 10} more` })
    assert.equal(await button.getAttribute('aria-expanded'), 'false')
    await button.press('Enter')
    await items.filter({ hasText: `job-${EXITS - 100}, ` }).waitFor()
    assert.equal(await items.count(), 100)
    await list.getByText('1,900 older events. Choose a shorter time range to see them.', { exact: true }).waitFor()
    await auditPage(page, 'thousands of events')
    await list.getByRole('button', { name: 'fewer' }).press('Enter')
    await items.nth(10).waitFor({ state: 'detached' })
    assert.equal(await items.count(), 10)
    assert.deepEqual(hub.pageErrors, [])
  })
})
