import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { startPostgresServer } from '../hub/test/postgres-server.ts'
import { groupMs, untilNextPoll } from '../hub/src/fleet/polling/poll.ts'
import { streamedEvents } from '../hub/test/streamed-events.ts'
import { smallDisk, takeEverything } from '../hub/test/small-disk.ts'
import { clockFrom } from './clocked-hub.ts'
import { startPagesHub } from './pages-hub.ts'
import { scratchFolder, startProgram } from './programs.ts'
import { freePort } from '../tools/free-port.ts'

const TOKEN = 'token-of-the-quiet-machine'
const TEN_MINUTES_MS = 600_000
/** Time until the second poll. The hub waits at least 28 s between two polls. */
const SOON_MS = 36_000

test(
  'All Systems warns that nothing is stored while the hub’s disk is full, until there is space again',
  { timeout: 300_000 },
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
      await using page = await hub.openPage(admin)
      await page.goto('/')
      await page
        .locator('[data-health=up]')
        .filter({ has: page.getByRole('link', { name: 'quiet', exact: true }) })
        .waitFor()
      const filler = join(disk.path, 'filler')
      const storing = async () => (await hub.send(admin, 'GET', '/api/vedette/storing')) as { readonly state: string } // as this route answers
      await using events = await streamedEvents(hub.address, admin.token, ['systems/*', 'storing'])
      // The hub requests a sample of an agent that connects. It stores the sample, or pauses storing.
      while ((await storing()).state === 'storing') {
        takeLogRoom(join(disk.path, 'data', 'vedette.sqlite'))
        takeEverything(filler)
        const outcome = events.next((event) => event.includes('"paused"') || event.includes('"status":"up"'))
        await agent.stop()
        agent = startAgent()
        await outcome
      }
      // The page only queries whether the hub stores samples after a long time without system events.
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

/** Truncates SQLite's write-ahead log, because the hub could otherwise write into its free space for a long time. */
function takeLogRoom(file: string): void {
  using database = new DatabaseSync(file, { timeout: 10_000 })
  database.exec('pragma wal_checkpoint(truncate)')
}

test(
  'All Systems warns that nothing is stored while the hub has no database connection, until it has one again',
  { timeout: 240_000 },
  async () => {
    const database = await startPostgresServer()
    try {
      using folder = scratchFolder()
      const clock = clockFrom(Date.now())
      await using hub = await startPagesHub({ args: ['--database', database.url], clock })
      const admin = await hub.createAdmin()
      const system = await hub.addSystem(admin, { name: 'quiet', port: await freePort() })
      await hub.send(admin, 'POST', '/api/collections/fingerprints/records', { system, token: TOKEN })
      const { key } = (await hub.send(admin, 'GET', '/api/beszel/getkey')) as { readonly key: string } // what this route answers
      // The second poll comes soon, but only after the page is open.
      clock.move(untilNextPoll(system, clock.now(), groupMs(1, true, 'postgres')) - SOON_MS)
      const agent = startProgram('agent/src/main.ts', {
        environment: { HUB_URL: hub.address, TOKEN, KEY: key, DATA_DIR: folder.path, DISABLE_SSH: 'true', DOCKER_HOST: '' },
      })
      try {
        await using page = await hub.openPage(admin)
        await page.clock.install({ time: clock.now() })
        await page.goto('/')
        await page
          .locator('[data-health=up]')
          .filter({ has: page.getByRole('link', { name: 'quiet', exact: true }) })
          .waitFor()
        await page.getByText('live', { exact: true }).waitFor()
        database.crash()
        // The page marks its last values as old and queries whether the hub stores samples. The hub already knows that it does not.
        clock.move(TEN_MINUTES_MS)
        await page.clock.fastForward(TEN_MINUTES_MS)
        const banner = page.getByRole('status').filter({ hasText: 'The hub cannot reach its database: nothing has been stored since' })
        await banner.waitFor({ timeout: 300_000 })
        database.restart()
        await banner.waitFor({ state: 'hidden' })
        assert.deepEqual(hub.pageErrors, [])
      } finally {
        await agent.stop()
      }
    } finally {
      await database.stop()
    }
  },
)
