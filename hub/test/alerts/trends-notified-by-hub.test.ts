import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { startHub } from '../../src/hub.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { parseHubConfig, type HubConfig } from '../../src/startup/config.ts'
import { openStores, type Stores } from '../../src/startup/open-stores.ts'
import { databases, silentLog } from '../databases.ts'
import { httpPeer, type PeerAnswer } from '../http-peer.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { storePastValues } from '../past-history.ts'
import { sshAgent } from '../scripted-agent.ts'

const TWO_HOURS_MS = 7_200_000

/** Disk usage in percent of each system, by hours from now (negative). */
const diskUsage: Readonly<Record<string, (hour: number) => number>> = {
  grown: (hour) => 85 + hour / 2,
  copied: (hour) => (hour < -9 ? 30 : 85),
  gapped: (hour) => (hour > -20 && hour < -2 ? Number.NaN : 85 + hour / 20),
  constant: () => 95,
  rotated: (hour) => 60 + ((hour + 240) % 24),
}

for (const kind of databases) {
  test(
    `${kind.name}: a hub sends a disk forecast once, also over its restart, and none for steps, gaps and constants`,
    { timeout: 120_000 },
    async () => {
      await using stack = new AsyncDisposableStack()
      const { at } = stack.use(await kind.ready())
      const directory = 'directory' in at ? at.directory : makeMemoryFolder('vedette-hub-')
      if ('url' in at) stack.defer(() => rmSync(directory, { recursive: true, force: true }))
      const config = configOf([`--data=${directory}`, ...('url' in at ? ['--database', at.url] : [])])
      const messages = new Map<string, string>()
      let wanted = { title: '', resolve: () => {} }
      const peer = stack.use(
        await httpPeer(({ body }): PeerAnswer => {
          const { title, message } = JSON.parse(body) as { readonly title: string; readonly message: string } // what Gotify gets
          messages.set(title, message)
          if (title.startsWith(wanted.title)) wanted.resolve()
          return { status: 200 }
        }),
      )
      const sent = (title: string): Promise<void> => new Promise((resolve) => void (wanted = { title, resolve }))

      let owner = ''
      await withStores(config, async (stores) => {
        const { port } = stack.use(await sshAgent(stores.key.publicLine))
        owner = await addFleet(stores, port)
        await insert(stores, 'user_settings', {
          user: owner,
          settings: { emails: [], webhooks: [`gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`] },
        })
        await insert(stores, 'alert_policies', { user: owner, name: 'DiskForecast', values: { threshold: 48, off: false } })
      })
      const first = sent('Disk root of grown is expected')
      const hub = await startHub(config, () => silentLog)
      await first
      await hub.close()
      const [[title = '', message = ''] = []] = messages
      assert.match(title, /^Disk root of grown is expected to be full in (?:29|30) h 🟠$/u)
      assert.match(message, /^Disk root of grown is expected to be full in (?:29|30) h\. The threshold is 48 h\./)

      await withStores(config, async (stores) => {
        const [system] = await stores.store.loadWhere('systems', { name: 'grown' })
        await insert(stores, 'alerts', { user: owner, system: system?.id ?? '', name: 'MemoryForecast', value: 48, min: 1 })
      })
      // Disks are evaluated before memory.
      const second = sent('Memory of grown is expected')
      const again = await startHub(config, () => silentLog)
      await second
      await again.close()
      assert.equal(messages.size, 2)
      await withStores(config, async ({ database }) => {
        const incidents = await database.kysely.selectFrom('incidents').select(['kind', 'target', 'ended']).orderBy('kind').execute()
        assert.deepEqual(incidents, [
          { kind: 'DiskForecast', target: 'root', ended: null },
          { kind: 'MemoryForecast', target: '', ended: null },
        ])
      })
    },
  )
}

/** Adds a person and a system for each disk, all answered by one agent. Resolves to the person's id. */
async function addFleet(stores: Stores, port: number): Promise<string> {
  const person = { email: 'ann@example.com', username: 'ann', role: 'admin', verified: true, password: 'none' }
  const owner = await insert(stores, 'users', person)
  const nowMs = Date.now()
  const untilMs = Math.floor(nowMs / TWO_HOURS_MS) * TWO_HOURS_MS
  for (const [name, valueAt] of Object.entries(diskUsage)) {
    const values = { name, host: '127.0.0.1', port: String(port), status: 'up', users: [owner], info: {} }
    const system = await insert(stores, 'systems', values)
    await storePastValues(stores.history, {
      system,
      untilMs,
      days: 7,
      samplesUntilMs: nowMs,
      valuesAt(fromEnd) {
        const hour = fromEnd + (untilMs - nowMs) / 3_600_000
        return { 'disk.usedPercent': valueAt(hour), 'memory.usedPercent': name === 'grown' ? 80 + hour / 2 : 40 }
      },
    })
  }
  return owner
}

const insert = async ({ database, store }: Stores, collection: string, values: Parameters<Stores['store']['insert']>[2]): Promise<string> =>
  (await database.write((unit) => store.insert(unit, collection, values))).id

async function withStores(config: HubConfig, use: (stores: Stores) => Promise<void>): Promise<void> {
  await using stack = new AsyncDisposableStack()
  await use(await openStores({ config, plainLog: () => silentLog, clock: systemClock, stack }))
}

function configOf(options: readonly string[]): HubConfig {
  const parsed = parseHubConfig(['--listen=127.0.0.1:0', ...options], {})
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}
