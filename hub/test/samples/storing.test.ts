import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { watchAlerts } from '../../src/alerts/rules/alert-watch.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { historyStore } from '../../src/history/history-store.ts'
import { samplePipeline, type Storing } from '../../src/samples/sample-pipeline.ts'
import { databases, silentLog } from '../databases.ts'
import { machineSample } from '../scripted-agent.ts'
import { storedSamples } from '../stored-samples.ts'
import { engineOn } from '../test-engine.ts'

/** Makes the database fail without space: SQLite really, PostgreSQL by its documented error code. */
async function fill(database: Database): Promise<void> {
  if (database.name === 'sqlite') await database.write(async (unit) => void (await sql`pragma max_page_count = 1`.execute(unit.sql)))
  else
    await database.write(async (unit) => {
      await sql`create function no_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(unit.sql)
      for (const table of ['hub_state', 'history_open'])
        await sql`create trigger full_disk before insert on ${sql.table(table)} execute function no_room()`.execute(unit.sql)
    })
}

async function makeRoom(database: Database): Promise<void> {
  if (database.name === 'sqlite') await database.write(async (unit) => void (await sql`pragma max_page_count = 1000000`.execute(unit.sql)))
  else await database.write(async (unit) => void (await sql`drop function no_room cascade`.execute(unit.sql)))
}

for (const kind of databases) {
  test(
    `${kind.name}: a database without space pauses storing and logs it, and storing resumes without a restart`,
    { timeout: 300_000 },
    async () => {
      await using opened = await kind.open()
      const { database, bus } = opened
      const clock = systemClock
      const engine = engineOn(database)
      const records = engine.store
      const history = historyStore({ db: database, clock, bus, log: silentLog })
      const alerts = await watchAlerts({ engine, history, bus, log: silentLog })
      await using samples = samplePipeline({ db: database, records, history, clock, bus, alerts, log: silentLog, tryEveryMs: 20 })
      const { storing } = samples
      const { id } = await database.write((unit) => records.insert(unit, 'systems', { name: 'machine', status: 'up', users: [], info: {} }))
      let atMs = clock.now() - 20_000_000
      const store = (busyPercent: number) => {
        atMs += 1000
        return samples.store({ system: id, sample: { ...machineSample, cpu: { busyPercent } }, receivedAtMs: atMs })
      }
      const next = () => new Promise<Storing>((resolve) => void storing.onChange(resolve))

      // Enough data that SQLite needs another page.
      for (let sample = 1; sample <= 3; sample++) assert.equal((await store(sample)).kind, 'stored')
      await fill(database)
      const paused = next()
      let stored = 3
      while (stored < 10_000 && (await store(stored + 1)).kind === 'stored') stored++
      const state = await paused
      assert.equal(state.state === 'paused' && state.reason, 'full')
      assert.deepEqual(storing.now(), state)
      assert.equal((await records.load('systems', id))?.['name'], 'machine')
      assert.deepEqual(await store(99), { kind: 'storing paused' })

      const resumed = next()
      await makeRoom(database)
      assert.deepEqual(await resumed, { state: 'storing' })
      assert.equal((await store(100)).kind, 'stored')
      const kept = (await storedSamples(history, 'system', id)).map(({ values }) => values['cpu.busyPercent'])
      assert.deepEqual(kept, [...Array.from({ length: stored }, (_, index) => index + 1), 100])
      assert.deepEqual(await database.kysely.selectFrom('hub_state').select('name').where('name', '=', 'room for samples').execute(), [])
    },
  )
}
