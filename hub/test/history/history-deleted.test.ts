import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHubConfig } from '../../src/startup/config.ts'
import { startHub } from '../../src/hub.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databases, silentLog } from '../databases.ts'

for (const kind of databases) {
  test(
    `${kind.name}: a hub that starts deletes the history of systems that were deleted before it was killed`,
    { timeout: 300_000 },
    async () => {
      await using place = await kind.place()
      const data = mkdtempSync(join(tmpdir(), 'vedette-deleted-'))
      const where = 'url' in place.at ? { at: place.at, flags: [`--database=${place.at.url}`] } : { at: { directory: data }, flags: [] }
      const open = () => openDatabase({ at: where.at, bus: inProcessEventBus(), log: silentLog })
      const names = async (): Promise<readonly (string | null)[]> => {
        const database = await open()
        const rows = await database.kysely.selectFrom('history_systems').select('name').execute()
        await database.close()
        return rows.map(({ name }) => name)
      }
      try {
        const before = await open()
        const history = historyStore({ db: before, clock: systemClock, bus: inProcessEventBus(), log: silentLog })
        const sample = { system: 'deletedsystem00', atMs: Date.now(), kinds: { system: pointsOf({ 'cpu.busyPercent': 1 }) } }
        await before.write((unit) => history.append(unit, [sample]))
        await before.close()
        assert.deepEqual(await names(), ['deletedsystem00'])
        const parsed = parseHubConfig(['--listen=127.0.0.1:0', `--data=${data}`, ...where.flags], {})
        assert.ok(parsed.ok)
        const hub = await startHub(parsed.config, () => silentLog)
        while ((await names())[0] === 'deletedsystem00') await new Promise((resolve) => setImmediate(resolve))
        await hub.close()
        assert.ok((await names()).every((name) => name === null))
      } finally {
        rmSync(data, { recursive: true, force: true })
      }
    },
  )
}
