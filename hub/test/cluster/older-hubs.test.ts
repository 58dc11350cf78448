import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { joinHubs, type Membership } from '../../src/platform/cluster/membership.ts'
import { DatabaseUnusableError, type Database } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { endSupport } from '../../src/platform/db/older-hubs.ts'
import { whenUnlocked } from '../../src/platform/db/migration-locks.ts'
import { thisProgram, type Migration, type Program } from '../../src/platform/db/migrations/all-migrations.ts'
import { databases, silentLog } from '../databases.ts'
import { systemClock } from '../../src/platform/clock.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

const known = thisProgram.migrations.length
const statement =
  (text: string): Migration =>
  async (transaction) =>
    void (await sql.raw(text).execute(transaction))

/** The next release adds a column, and the release after that drops another column. */
const next: Program = {
  ...thisProgram,
  version: '1.2.0',
  migrations: [...thisProgram.migrations, statement('alter table systems add column zone text')],
}
const last: Program = {
  version: '1.3.0',
  migrations: [...next.migrations, statement('alter table systems drop column zone')],
  contractions: [...thisProgram.contractions, { migration: known + 2, schema: known + 1, version: '1.2.0' }],
}

const upgrade = (database: Database, program: Program): Promise<void> => migrate(database, silentLog, { program, isShared: true })
const join = (database: Database, name: string, program: Program, renewEveryMs = 20): Promise<Membership> =>
  joinHubs({ database, log: silentLog, clock: systemClock, name, shares: true, program, renewEveryMs })

async function columnsOf({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'systems' and column_name = 'zone'`.execute(kysely)
  return rows.length > 0
}

test('a hub of the previous version can start on a database that was only expanded', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  await using old = await join(database, 'a', thisProgram)
  await upgrade(database, next)
  await using newer = await join(database, 'b', next)
  await upgrade(database, thisProgram)
  await using again = await join(database, 'c', thisProgram)
  await old.renew()
  await again.renew()
  assert.deepEqual(
    again.living().map(({ name, version }) => [name, version]),
    [
      ['a', thisProgram.version],
      ['b', '1.2.0'],
      ['c', thisProgram.version],
    ],
  )
  assert.ok(newer.living().length > 0)
  assert.ok(await columnsOf(database))
  await assert.rejects(migrate(database, silentLog), /was written by a newer version, 1\.2\.0, .* start version 1\.2\.0 or a later one/)
})

test('a contracting migration fails while a hub is alive that is too old for it, and changes nothing', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  await upgrade(database, next)
  {
    await using old = await join(database, 'a', thisProgram)
    await using neighbour = await join(database, 'b', next)
    await assert.rejects(upgrade(database, last), (error) => {
      assert.ok(error instanceof DatabaseUnusableError)
      assert.equal(
        error.message,
        `Cannot upgrade the database to version 1.3.0: the hub "a" of version ${thisProgram.version} is using it; stop that hub, or upgrade it to version 1.2.0 first, which may run beside 1.3.0`,
      )
      return true
    })
    assert.ok(await columnsOf(database))
    assert.ok(old.living().length + neighbour.living().length > 0)
  }
  await using neighbour = await join(database, 'b', next)
  await upgrade(database, last)
  assert.equal(await columnsOf(database), false)
  await neighbour.renew()
  assert.equal(neighbour.living().length, 1, 'a hub of the version before goes on')
  await assert.rejects(upgrade(database, thisProgram), /versions 1\.2\.0 to 1\.3\.0 may run together, so start one of them/)
  await upgrade(database, next)
})

test('an upgrade keeps out the hubs that a used feature keeps out', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  assert.equal(await database.write((unit) => endSupport(database, unit, { schema: known, version: '1.1.0' })), undefined)
  await database.write((unit) => endSupport(database, unit, { schema: known - 1, version: '1.0.0' }))
  await upgrade(database, next)
  const older: Program = { ...thisProgram, version: '1.0.0', migrations: thisProgram.migrations.slice(0, -1) }
  await assert.rejects(upgrade(database, older), /versions 1\.1\.0 to 1\.2\.0 may run together/)
})

test('a hub that was frozen while the schema became too new ends when it resumes', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  await upgrade(database, next)
  await using frozen = await join(database, 'a', thisProgram, 3_600_000)
  await database.kysely.updateTable('hubs').set({ seen_at: 0 }).execute()
  await upgrade(database, last)
  await frozen.renew()
  assert.match((await frozen.replaced).message, /versions 1\.2\.0 to 1\.3\.0 may run together/)
})

test('a hub cannot join if the schema became too new during its start', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  await upgrade(database, last)
  await assert.rejects(join(database, 'a', thisProgram), /versions 1\.2\.0 to 1\.3\.0 may run together/)
})

test('a hub ends after another hub restored a backup with an older schema', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  await upgrade(database, next)
  await using hub = await join(database, 'a', next, 3_600_000)
  await database.kysely
    .updateTable('hub_state')
    .set({ value: String(known) })
    .where('name', '=', 'schemaVersion')
    .execute()
  await database.kysely.deleteFrom('hubs').execute()
  await hub.renew()
  assert.match((await hub.replaced).message, /tables of an older version than 1\.2\.0, as after a restore; start this hub again/)
})

test('a migration that waits for a table lock blocks no hub, and continues when the table is free', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  const { promise: held, resolve: onHeld } = Promise.withResolvers<void>()
  const { promise: free, resolve: release } = Promise.withResolvers<void>()
  const holding = database.write(async (unit) => {
    await sql`lock table systems in access share mode`.execute(unit.sql)
    onHeld()
    await free
  })
  await held
  const upgrading = upgrade(database, next)
  const waiting = async () => (await sql`select 1 from pg_locks where not granted`.execute(database.kysely)).rows.length
  while ((await waiting()) === 0);
  await sql`select count(*) from systems`.execute(database.kysely)
  assert.equal(await columnsOf(database), false)
  release()
  await Promise.all([holding, upgrading])
  assert.equal(await columnsOf(database), true)
})

test('a migration fails if a table stays locked', async () => {
  const inUse = () => Promise.reject(Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }))
  await assert.rejects(whenUnlocked(inUse, 0), /its tables are in use, for example by a backup; start the hub again/)
})
