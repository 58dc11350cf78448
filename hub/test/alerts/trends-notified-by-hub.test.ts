import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { startHub } from '../../src/hub.ts'
import { databases, silentLog } from '../databases.ts'
import { addForecastFleet, configOf, insert, withStores } from '../forecast-scene.ts'
import { httpPeer, type PeerAnswer } from '../http-peer.ts'
import { makeMemoryFolder } from '../memory-folder.ts'
import { sshAgent } from '../scripted-agent.ts'

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
        owner = await addForecastFleet(stores, port)
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
