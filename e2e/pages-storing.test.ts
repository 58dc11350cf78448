import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { smallDisk, takeEverything } from '../hub/test/small-disk.ts'
import { clockFrom } from './clocked-hub.ts'
import { startPagesHub } from './pages-hub.ts'
import { freePort, scratchFolder, startProgram } from './programs.ts'

const TOKEN = 'token-of-the-quiet-machine'
const TEN_MINUTES_MS = 600_000

test(
  'All Systems says that the hub stores nothing while its disk is full, and no longer when there is room',
  { timeout: 180_000 },
  async (t) => {
    const disk = smallDisk('48m')
    if (typeof disk === 'string') return t.skip(disk)
    using _disk = disk
    using folder = scratchFolder()
    const clock = clockFrom(Date.now())
    await using hub = await startPagesHub({ directory: disk.path, clock })
    const admin = await hub.createAdmin()
    const system = await hub.addSystem(admin, { name: 'quiet', port: await freePort() })
    await hub.send(admin, 'POST', '/api/collections/fingerprints/records', { system, token: TOKEN })
    const startAgent = () =>
      startProgram('agent/src/main.ts', {
        environment: {
          HUB_URL: hub.address,
          TOKEN,
          KEY_FILE: join(disk.path, 'data', 'id_ed25519.pub'),
          DATA_DIR: folder.path,
          DISABLE_SSH: 'true',
          DOCKER_HOST: '',
        },
      })
    let agent = startAgent()
    try {
      const page = await hub.openPage(admin)
      await page.goto('/')
      await page
        .locator('[data-health=up]')
        .filter({ has: page.getByRole('link', { name: 'quiet', exact: true }) })
        .waitFor()
      const filler = join(disk.path, 'filler')
      const storing = async () => (await hub.send(admin, 'GET', '/api/vedette/storing')) as { readonly state: string } // as this route answers
      // An agent that connects is asked for a sample at once.
      while ((await storing()).state === 'storing') {
        takeEverything(filler)
        await agent.stop()
        agent = startAgent()
        await agent.line(/onnected/)
      }
      // The page asks whether the hub stores anything when it has heard of no system for long.
      clock.move(TEN_MINUTES_MS)
      await page.reload()
      const banner = page.getByRole('status').filter({ hasText: 'The hub’s disk is full: nothing has been stored since' })
      await banner.waitFor()
      rmSync(filler)
      await banner.waitFor({ state: 'hidden' })
      assert.deepEqual(await storing(), { state: 'storing' })
      assert.deepEqual(hub.pageErrors, [])
    } finally {
      await agent.stop()
    }
  },
)

// A hub whose database is away answers no page that is loaded: an open page asks it.
test('All Systems says that the hub does not reach its database', { timeout: 180_000 }, async () => {
  await using hub = await startPagesHub()
  const admin = await hub.createAdmin()
  const id = await hub.addSystem(admin, { name: 'quiet', port: await freePort() })
  // A paused system is not polled, so nothing changes it meanwhile.
  await hub.send(admin, 'PATCH', `/api/collections/systems/records/${id}`, { status: 'paused' })
  const page = await hub.openPage(admin)
  await page.route('**/api/collections/systems/records?*', async (route) => {
    const response = await route.fetch()
    const list = (await response.json()) as { readonly items: readonly object[] } // as every list
    const items = list.items.map((system) => ({ ...system, status: 'up', info: { at: Date.now() - TEN_MINUTES_MS, cpu: 1 } }))
    await route.fulfill({ response, json: { ...list, items } })
  })
  await page.route('**/api/vedette/storing', (route) =>
    route.fulfill({ json: { state: 'paused', reason: 'away', sinceMs: Date.now() - 300_000 } }),
  )
  await page.goto('/')
  await page.getByRole('status').filter({ hasText: 'The hub does not reach its database: nothing has been stored since' }).waitFor()
  assert.deepEqual(hub.pageErrors, [])
})
