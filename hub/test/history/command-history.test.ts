import { pointsOf } from '@vedette/protocol/metrics/series'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { systemClock } from '../../src/platform/clock.ts'
import { collections } from '../../src/records/collections/collections.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { inProcessEventBus } from '../../src/platform/events/event-bus.ts'
import { recordTableStore } from '../../src/records/engine/record-table-store.ts'
import { secretBox } from '../../src/platform/secrets/secret-box.ts'
import { compiledSources } from '../compiled-sources.ts'
import { databases, silentLog, type TestDatabase } from '../databases.ts'
import { DAY_MS, historyScene, MINUTE_MS } from '../history-scene.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')
const BASE_MS = Date.UTC(2026, 0, 10)

async function vedette(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { NODE_NO_WARNINGS: '1', ...compiledSources },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, said, complained }
}

/** Two days of a system called "web, 1", and an hour that is not in a block yet. */
async function fill(one: TestDatabase): Promise<string> {
  const store = recordTableStore({ database: one.database, collections, secrets: secretBox(randomBytes(32)), clock: systemClock })
  const { id } = await one.database.write((unit) => store.insert(unit, 'systems', { name: 'web, 1', host: 'web', port: '', users: [] }))
  const it = historyScene(one, BASE_MS)
  for (let minute = 0; minute < 3000; minute += 50) {
    it.advanceTo(BASE_MS + (minute + 49) * MINUTE_MS)
    const samples = Array.from({ length: 50 }, (_, at) => ({
      system: id,
      atMs: BASE_MS + (minute + at) * MINUTE_MS,
      kinds: { system: pointsOf({ 'cpu.busyPercent': at, '=evil.celsius': 1 }), containers: pointsOf({ 'db.memoryBytes': minute }) },
    }))
    await one.database.write((unit) => it.history.append(unit, samples), 'process')
  }
  await it.settle()
  return id
}

for (const kind of databases) {
  test(`${kind.name}: vedette history verifies, exports and summarises the stored history`, { timeout: 300_000 }, async () => {
    await using place = await kind.place()
    const data = 'directory' in place.at ? place.at.directory : mkdtempSync(join(tmpdir(), 'vedette-cli-'))
    const where = ['--data', data, ...('url' in place.at ? ['--database', place.at.url] : [])]
    const events = inProcessEventBus()
    const database = await openDatabase({ at: place.at, bus: events, log: silentLog })
    const one = { database, bus: events, events: [], at: place.at, [Symbol.asyncDispose]: () => database.close() }
    try {
      const id = await fill(one)
      const sound = await vedette(['history', 'verify', ...where])
      assert.deepEqual([sound.status, sound.complained], [0, ''])
      assert.match(sound.said, /^1m .*\n10m .*\n2h /m)
      assert.match((await vedette(['history', 'stats', ...where])).said, /^1m +\d+ +\d+ +2026-01-10 +\d+ +90$/m)

      const window = ['--from', '2026-01-10T00:10Z', '--to', '2026-01-10T00:12Z']
      const csv = await vedette(['history', 'export', 'web, 1', '--kind', 'system', ...window, ...where])
      assert.equal(
        csv.said,
        'time,system,kind,series,unit,average,minimum,maximum,count\n' +
          ['10', '11']
            .flatMap((minute) => [
              `2026-01-10T00:${minute}:00.000Z,"web, 1",system,'=evil.celsius,celsius,1,,,`,
              `2026-01-10T00:${minute}:00.000Z,"web, 1",system,cpu.busyPercent,percent,${minute},,,`,
            ])
            .join('\n') +
          '\n',
      )
      const all = await vedette(['history', 'export', id, '--format', 'ndjson', '--kind', 'containers', ...where])
      const lines = all.said.trim().split('\n')
      assert.equal(lines.length, 3000)
      assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), {
        time: new Date(BASE_MS + 2999 * MINUTE_MS).toISOString(),
        system: 'web, 1',
        kind: 'containers',
        average: { 'db.memoryBytes': 2950 },
      })
      const day = ['--from', String(BASE_MS), '--to', String(BASE_MS + DAY_MS), '--tier', '2h', '--format', 'json']
      const buckets = JSON.parse((await vedette(['history', 'export', id, ...day, ...where])).said) as { minimum: object }[]
      assert.equal(buckets.length, 24)
      assert.deepEqual(Object.keys(buckets[0] ?? {}).toSorted(), [
        'average',
        'bucketMs',
        'count',
        'kind',
        'maximum',
        'minimum',
        'system',
        'time',
      ])

      const unknown = await vedette(['history', 'export', 'nobody', ...where])
      assert.deepEqual([unknown.status, unknown.complained], [1, 'There is no system "nobody"\n'])
      assert.equal((await vedette(['history', 'export', id, '--from', 'yesterday', ...where])).status, 2)

      await database.write(({ sql }) =>
        sql
          .updateTable('history_blocks')
          .set({ data: Uint8Array.of(9) })
          .where('part', '=', 3)
          .execute(),
      )
      const broken = await vedette(['history', 'verify', ...where])
      assert.equal(broken.status, 1)
      assert.match(
        broken.said,
        /^Cannot rely on minutes of a day from 2026-01-10T00:00:00.000Z \(containers\) of system \w{15}: it is of unknown version 9$/m,
      )
      assert.match(broken.complained, /^The history is damaged: \d problems found; restore a backup, or keep the undamaged rest$/m)
    } finally {
      await database.close()
      if (!('directory' in place.at)) rmSync(data, { recursive: true, force: true })
    }
  })
}
