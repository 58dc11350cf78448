import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { databases } from '../../../../test/databases.ts'
import type { Database } from '../database.ts'
import { MOST_WAL_PAGES } from './wal-checkpoint.ts'
import { openSqliteConnection } from './sqlite-connection.ts'
import { SQLITE_FILE } from './sqlite.ts'

const MEBIBYTE = 2 ** 20
const [sqlite] = databases

/** A SQLite database, with the pages of its WAL and the number of checkpointed ones, as another connection sees them. */
async function opened() {
  assert.ok(sqlite)
  const { at, database, [Symbol.asyncDispose]: dispose } = await sqlite.open()
  assert.ok('directory' in at)
  const other = openSqliteConnection(join(at.directory, SQLITE_FILE), 'write')
  return {
    database,
    log() {
      const [[, pages, folded] = []] = other.find('pragma wal_checkpoint(noop)', []).rows
      return { pages: Number(pages), folded: Number(folded) }
    },
    async [Symbol.asyncDispose]() {
      other.close()
      await dispose()
    },
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

const write = (database: Database, bytes: number): Promise<unknown> =>
  database.write(
    (unit) => sql`insert or replace into hub_state (name, value) values ('much', zeroblob(${bytes}))`.execute(unit.sql),
    'process',
  )

const counting = (database: Database, rows: number): Promise<unknown> =>
  sql`with recursive c(x) as (select 1 union all select x + 1 from c where x < ${rows}) select count(*) as n from c`.execute(
    database.queries,
  )

/** Runs a test while the client-query thread is busy. It repeats with more work when the thread finished too early: the test checks `isBusy` last. */
async function whileBusy(
  run: (one: Opened, thread: { readonly isBusy: () => Promise<boolean>; readonly done: Promise<unknown> }) => Promise<boolean>,
) {
  for (let questions = 16; ; questions *= 2) {
    await using one = await opened()
    let isDone = false
    // These queries only keep the thread busy. On a busy machine the last ones may exceed the time limit of a query.
    const done = Promise.allSettled(Array.from({ length: questions }, () => counting(one.database, 750_000))).finally(() => (isDone = true))
    // A response that has arrived is processed within two turns.
    const isBusy = async () => {
      await othersTurn()
      await othersTurn()
      return !isDone
    }
    const wasBusy = await run(one, { isBusy, done })
    await done
    if (wasBusy) return
  }
}

test('a long WAL is checkpointed after the transaction that made it long, when no client-query thread runs', async () => {
  await using one = await opened()
  await write(one.database, 4 * MEBIBYTE)
  assert.equal(one.log().folded, 0)
  await write(one.database, 20 * MEBIBYTE)
  const { pages, folded } = one.log()
  assert.ok(pages > 5000 && folded === pages, `${folded} of ${pages} pages`)
  await write(one.database, 1)
  assert.ok(one.log().pages < 100)
})

test('a long WAL is checkpointed by the client-query thread after its queries', { timeout: 300_000 }, () =>
  whileBusy(async (one, thread) => {
    await write(one.database, 20 * MEBIBYTE)
    await write(one.database, 4 * MEBIBYTE)
    const before = one.log()
    if (!(await thread.isBusy())) return false
    assert.equal(before.folded, 0)
    await thread.done
    await counting(one.database, 1)
    const { pages, folded } = one.log()
    assert.ok(pages > 6000 && folded === pages, `${folded} of ${pages} pages`)
    await write(one.database, 1)
    assert.ok(one.log().pages < 100)
    return true
  }),
)

test('a very long WAL is checkpointed although the client-query thread is busy', { timeout: 300_000 }, () =>
  whileBusy(async (one, thread) => {
    for (let round = 0; round < 3; round++) await write(one.database, 24 * MEBIBYTE)
    const { pages, folded } = one.log()
    if (!(await thread.isBusy())) return false
    assert.ok(pages > MOST_WAL_PAGES && folded === pages, `${folded} of ${pages} pages`)
    return true
  }),
)

test('a running checkpoint does not delay the close of the database, and no row is lost', async () => {
  assert.ok(sqlite)
  await using place = await sqlite.open()
  assert.ok('directory' in place.at)
  await counting(place.database, 1)
  await write(place.database, 20 * MEBIBYTE)
  await place.database.close()
  const again = openSqliteConnection(join(place.at.directory, SQLITE_FILE), 'read')
  assert.deepEqual(again.find("select length(value) from hub_state where name = 'much'", []).rows, [[20 * MEBIBYTE]])
  again.close()
})
