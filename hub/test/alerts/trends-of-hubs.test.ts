import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { addForecastFleet, configOf, insert, withStores } from '../forecast-scene.ts'
import { httpPeer, type PeerAnswer } from '../http-peer.ts'
import { hubsOfOneDatabase } from '../hubs-of-one-database.ts'
import { startNatsServer } from '../nats-server.ts'
import { sshAgent } from '../scripted-agent.ts'

const isLong = process.env['VEDETTE_LONG'] === '1'
// A hub decides only a minute after it took a system over, and evaluates once a minute.
const options = { timeout: 600_000, skip: !isLong && 'only in long runs' }

test('several hubs: a forecast is sent once, also when another hub takes over its system', options, async () => {
  await using stack = new AsyncDisposableStack()
  const hubs = stack.use(await hubsOfOneDatabase(stack.use(await startNatsServer()).url))
  const config = configOf([...hubs.flags(), '--data', join(hubs.folder, 'seed')])
  const titles: string[] = []
  let wanted = { title: '', resolve: () => {} }
  const peer = stack.use(
    await httpPeer(({ body }): PeerAnswer => {
      const { title } = JSON.parse(body) as { readonly title: string } // what Gotify gets
      titles.push(title)
      if (title.startsWith(wanted.title)) wanted.resolve()
      return { status: 200 }
    }),
  )
  const sent = (title: string): Promise<void> => new Promise((resolve) => void (wanted = { title, resolve }))

  let owner = ''
  await withStores(config, async (stores) => {
    const { port } = stack.use(await sshAgent(stores.key.publicLine))
    owner = await addForecastFleet(stores, port)
    const webhooks = [`gotify://127.0.0.1:${peer.port}/AzyoeNS.D4iJLVa?disabletls=yes`]
    await insert(stores, 'user_settings', { user: owner, settings: { emails: [], webhooks } })
    await insert(stores, 'alert_policies', { user: owner, name: 'DiskForecast', values: { threshold: 48, off: false } })
  })
  const first = sent('Disk root of grown is expected')
  const a = await hubs.start('a')
  await first

  await withStores(config, async (stores) => {
    const [system] = await stores.store.loadWhere('systems', { name: 'grown' })
    await insert(stores, 'alerts', { user: owner, system: system?.id ?? '', name: 'MemoryForecast', value: 48, min: 1 })
  })
  // The new owner evaluates disks before memory.
  const second = sent('Memory of grown is expected')
  const b = await hubs.start('b')
  a.kill('SIGKILL')
  await a.ended
  await second
  b.kill('SIGTERM')
  await b.ended
  assert.equal(titles.length, 2, titles.join('\n'))
  await withStores(config, async ({ database }) => {
    const incidents = await database.kysely.selectFrom('incidents').select(['kind', 'target', 'ended']).orderBy('kind').execute()
    assert.deepEqual(incidents, [
      { kind: 'DiskForecast', target: 'root', ended: null },
      { kind: 'MemoryForecast', target: '', ended: null },
    ])
  })
})
