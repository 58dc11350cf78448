import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { databases } from '../../../../test/databases.ts'
import { openClientReader } from './client-reader.ts'
import { databaseFailure } from '../database-failures.ts'
import { SQLITE_FILE } from './sqlite.ts'

/** A single statement that keeps SQLite busy for seconds. */
const counting = (rows: number) =>
  sql<{ n: number }>`with recursive c(x) as (select 1 union all select x + 1 from c where x < ${rows}) select count(*) as n from c`

for (const kind of databases) {
  test(`${kind.name}: a slow client query delays no write`, { timeout: 300_000 }, async () => {
    await using opened = await kind.open()
    const { database } = opened
    const slow = kind.name === 'sqlite' ? counting(1_000_000) : sql`select pg_sleep(1)`
    const order: string[] = []
    const asking = Array.from({ length: 6 }, async () => slow.execute(database.queries).then(() => order.push('asked')))
    for (let at = 0; at < 5; at += 1) {
      await database.write(
        (unit) =>
          unit.sql
            .insertInto('hub_state')
            .values({ name: `w${at}`, value: '' })
            .execute(),
        'process',
      )
      order.push('written')
    }
    await Promise.all(asking)
    assert.deepEqual(
      order.slice(0, 5),
      Array.from({ length: 5 }, () => 'written'),
    )
  })

  test(`${kind.name}: client queries cannot write, and see committed rows`, async () => {
    await using opened = await kind.open()
    const { database } = opened
    await database.write((unit) => unit.sql.insertInto('hub_state').values({ name: 'seen', value: '1' }).execute())
    const seen = await database.queries.selectFrom('hub_state').select('value').where('name', '=', 'seen').execute()
    assert.deepEqual(seen, [{ value: '1' }])
    const write = sql`update hub_state set value = '2'`.execute(database.queries)
    await assert.rejects(write, /read-?only/)
  })
}

const [sqlite] = databases

test('openClientReader cancels a query that takes too long, and runs the next query in a new thread', { timeout: 300_000 }, async () => {
  assert.ok(sqlite)
  await using opened = await sqlite.open()
  assert.ok('directory' in opened.at)
  const reader = openClientReader(join(opened.at.directory, SQLITE_FILE), { runMs: 200, waitMs: 10_000 })
  const slow = counting(3_000_000).execute(reader.kysely)
  const waiting = counting(10).execute(reader.kysely)
  await assert.rejects(slow, (error) => databaseFailure(error) === 'too slow')
  assert.deepEqual((await waiting).rows, [{ n: 10 }])
  await assert.rejects(sql`select 1 from nowhere`.execute(reader.kysely), { message: /no such table: nowhere/, code: 'ERR_SQLITE_ERROR' })
  await reader.close()
  await assert.rejects(counting(1).execute(reader.kysely), /the database is closed/)
})

test(
  'openClientReader cancels a query that waits too long for a thread, and runs queries again when a thread is free',
  { timeout: 300_000 },
  async () => {
    assert.ok(sqlite)
    await using opened = await sqlite.open()
    assert.ok('directory' in opened.at)
    const reader = openClientReader(join(opened.at.directory, SQLITE_FILE), { runMs: 50, waitMs: 1_000 })
    const tooSlow = (error: unknown): boolean => databaseFailure(error) === 'too slow'
    // A statement of many seconds keeps its thread, even after the thread was closed. On a busy machine it may be closed before it
    // starts, and then keeps nothing. So this repeats until a query finds both threads in use.
    const asked = async (): Promise<unknown> =>
      counting(12_000_000)
        .execute(reader.kysely)
        .catch((error: unknown) => error)
    let failure = await asked()
    while (failure instanceof Error && failure.message.startsWith('Cannot finish')) failure = await asked()
    assert.ok(tooSlow(failure) && failure instanceof Error)
    assert.match(failure.message, /^Cannot start/)
    const again = async (): Promise<unknown> => counting(10).execute(reader.kysely).catch(again)
    await again()
    await reader.close()
  },
)

test('openClientReader cancels a query whose thread does not start', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-fifo-'))
  const pipe = join(folder, 'database')
  execFileSync('mkfifo', [pipe])
  const reader = openClientReader(pipe, { runMs: 50, waitMs: 200 })
  await assert.rejects(counting(1).execute(reader.kysely), (error) => databaseFailure(error) === 'too slow')
  // Opening a pipe blocks until its other end is opened.
  closeSync(openSync(pipe, 'r+'))
  await reader.close()
  rmSync(folder, { recursive: true })
})

test('openClientReader ends an idle thread and runs the next query in a new thread', async () => {
  assert.ok(sqlite)
  await using opened = await sqlite.open()
  assert.ok('directory' in opened.at)
  const path = join(opened.at.directory, SQLITE_FILE)
  const short = openClientReader(path, { runMs: 60_000, waitMs: 60_000, idleMs: 1 })
  const long = openClientReader(path, { runMs: 60_000, waitMs: 60_000 })
  for (const reader of [short, long]) assert.deepEqual((await counting(10).execute(reader.kysely)).rows, [{ n: 10 }])
  for (let checkpoint = short.checkpoint(); checkpoint !== undefined; checkpoint = short.checkpoint()) {
    await checkpoint
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.notEqual(long.checkpoint(), undefined)
  assert.deepEqual((await counting(20).execute(short.kysely)).rows, [{ n: 20 }])
  await Promise.all([short.close(), long.close()])
})
