import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { databases } from '../../../../test/databases.ts'
import { findOpenSamples } from './0018-open-samples.ts'

const postgres = databases.find(({ name }) => name === 'postgres')
assert.ok(postgres)

test('findOpenSamples keeps every sample that no block contains, and changes nothing when it fails', async () => {
  await using opened = await postgres.open()
  const { database } = opened
  // The table as the previous version left it: sealed samples stay in it until they are trimmed.
  await sql`alter table history_open drop constraint history_open_pkey, add primary key (id)`.execute(database.kysely)
  const systems = await database.kysely
    .insertInto('history_systems')
    .values([
      { name: 'watched', sealed: 100 },
      { name: null, sealed: 0 },
    ])
    .returning('no')
    .execute()
  const [watched = 0, deleted = 0] = systems.map(({ no }) => no)
  const rows = [
    [watched, 99],
    [watched, 100],
    [watched, 101],
    [watched, 101],
    [deleted, 200],
    [watched + deleted, 200],
  ].map(([system = 0, at = 0], place) => ({ system, at, data: Buffer.from([place]) }))
  await database.kysely.insertInto('history_open').values(rows).execute()
  const stored = async () =>
    (await database.kysely.selectFrom('history_open').select(['system', 'at', 'data']).orderBy('id').execute()).map(
      ({ system, at, data }) => ({ system, at, data: Buffer.from(data) }),
    )

  const failed = database.write(async (unit) => {
    await findOpenSamples(unit.sql, 'postgres')
    throw new Error('a later step fails')
  })
  await assert.rejects(failed, /a later step fails/)
  assert.deepEqual(await stored(), rows)

  await database.write((unit) => findOpenSamples(unit.sql, 'postgres'))
  assert.deepEqual(await stored(), rows.slice(1, 4))
})
