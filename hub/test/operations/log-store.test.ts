import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { deleteOldLogs } from '../../src/operations/logs/delete-logs.ts'
import { levels } from '../../src/operations/logs/log-entry.ts'
import { openLogDatabase } from '../../src/operations/logs/log-database.ts'
import { logHistogram } from '../../src/operations/logs/search/log-histogram.ts'
import { logsAfter, searchLogs } from '../../src/operations/logs/search/log-search.ts'
import { logSize } from '../../src/operations/logs/log-table.ts'
import { RecordError } from '../../src/records/model/record-error.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { databases, silentLog } from '../databases.ts'
import { logScene, NOW_MS, type LogScene } from '../log-scene.ts'

const HOUR_MS = 3_600_000

/** Returns the results of all pages of a search, and the number of pages. */
async function searchAll({ database, ask }: LogScene, filter: string, most = 3, now?: () => number) {
  const found: string[] = []
  let pages = 0
  for (let before: number | undefined, done = false; !done; done = before === undefined) {
    const page = await searchLogs(database, { question: ask(filter), window: ask(filter).window, before, most }, now)
    found.push(...page.rows.map(({ message }) => message))
    before = page.before
    pages += 1
  }
  return { found, pages }
}

for (const kind of databases) {
  test(`${kind.name}: after a search without results, only newer entries follow`, async () => {
    await using scene = await logScene(kind)
    const entry = { level: levels.info, status: 0, account: '', address: '', data: {} }
    await scene.write([{ ...entry, atMs: NOW_MS - HOUR_MS, message: 'old' }])
    const [question, window] = [scene.ask(''), { fromMs: NOW_MS - 60_000 }]
    const { rows, last } = await searchLogs(scene.database, { question, window, most: 9 })
    assert.deepEqual(rows, [])
    await scene.write([{ ...entry, atMs: NOW_MS, message: 'new' }])
    assert.deepEqual(
      (await logsAfter(scene.database, question, last, 9)).rows.map(({ message }) => message),
      ['new'],
    )
  })

  test(`${kind.name}: log entries are found by level, status, account, address, text and time, newest first, page by page`, async () => {
    await using scene = await logScene(kind)
    await scene.write(
      Array.from({ length: 20 }, (_, at) => ({
        atMs: NOW_MS - (20 - at) * HOUR_MS,
        message: `entry ${at}`,
        level: at % 10 === 0 ? levels.error : levels.info,
        status: at % 5 === 0 ? 404 : 200,
        account: at % 2 === 0 ? 'person000000001' : '',
        address: `10.0.0.${at % 3}`,
        data: { userAgent: at === 7 ? 'Rare Browser' : 'common' },
      })),
    )
    const ats = async (filter: string) => (await searchAll(scene, filter)).found.map((message) => Number(message.slice('entry '.length)))
    const those = (fits: (at: number) => boolean) =>
      Array.from({ length: 20 }, (_, at) => at)
        .filter(fits)
        .toReversed()
    assert.deepEqual(
      await ats(''),
      those(() => true),
    )
    assert.deepEqual(
      await ats('level >= 8'),
      those((at) => at % 10 === 0),
    )
    assert.deepEqual(
      await ats('data.status >= 400'),
      those((at) => at % 5 === 0),
    )
    assert.deepEqual(
      await ats('data.authId = "person000000001" && data.userIP = "10.0.0.1"'),
      those((at) => at % 2 === 0 && at % 3 === 1),
    )
    assert.deepEqual(
      await ats('message ~ "ENTRY 1" || data ~ "rare"'),
      those((at) => at === 7 || String(at).startsWith('1')),
    )
    assert.deepEqual(await ats('data.userAgent = "Rare Browser"'), [7])
    assert.deepEqual(await ats('created >= "2026-06-01 09:00:00.000Z"'), [19, 18, 17])
    assert.deepEqual(await ats('created < "2026-05-31 17:30" && created > "2026-05-31 16:00:00"'), [1, 0])
    assert.deepEqual(await ats('id = "l00000000000003"'), [2])
  })

  test(`${kind.name}: a log search that exceeds its time returns a position, and continues there until the end of the log`, async () => {
    await using scene = await logScene(kind)
    const rows = Array.from({ length: 9_000 }, (_, at) => ({ message: at === 0 ? 'the needle' : 'hay', status: 200 }))
    for (let at = 0; at < rows.length; at += 1_000) await scene.write(rows.slice(at, at + 1_000))
    let ms = 0
    // Each call of the clock advances it by half a minute.
    const { found, pages } = await searchAll(scene, 'message ~ "needle"', 3, () => (ms += 30_000))
    assert.deepEqual([found, pages], [['the needle'], 9])
    const first = await searchLogs(scene.database, { question: scene.ask('message ~ "needle"'), window: {}, most: 3 }, () => (ms += 30_000))
    assert.deepEqual([first.rows, first.before, first.searchedToMs], [[], 8_001, NOW_MS])
  })

  test(`${kind.name}: log filters that refer to other collections, or that SQL cannot decide, are refused`, async () => {
    await using scene = await logScene(kind)
    for (const filter of [
      'nope = 1',
      '@collection.users.email = "x"',
      '@collection.logs.level = 1',
      'strftime("%Y", created) = "2026"',
      'level =',
    ])
      assert.throws(
        () => scene.ask(filter),
        (error) => error instanceof RecordError && error.status === 400,
        filter,
      )
    assert.throws(() => scene.ask('', 'nope'), RecordError)
  })

  test(`${kind.name}: histograms count the entries that a search finds, from stored counts or not`, async () => {
    await using scene = await logScene(kind)
    const entry = fc.record({
      hoursAgo: fc.integer({ min: 1, max: 30 }),
      minutes: fc.integer({ min: 0, max: 59 }),
      level: fc.constantFrom(0, 4, 8),
    })
    const window = { fromMs: NOW_MS - 40 * HOUR_MS, toMs: NOW_MS }
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 20 }), async (entries) => {
        await scene.write(entries.map(({ hoursAgo, minutes, level }) => ({ atMs: NOW_MS - hoursAgo * HOUR_MS + minutes * 60_000, level })))
        for (const isFiltered of [false, true]) {
          const filter = isFiltered ? 'level > 0' : ''
          const { total, bars, countedFromMs } = await logHistogram(scene.database, { question: scene.ask(filter), window, isFiltered })
          const { found } = await searchAll(scene, filter, 200)
          assert.deepEqual([total, countedFromMs], [found.length, undefined])
          assert.ok(bars.every(({ startMs, entries: count }) => startMs % (30 * 60_000) === 0 && count > 0))
        }
      }),
      { numRuns: 10 },
    )
  })

  test(`${kind.name}: old and surplus log entries are deleted by bucket, and the next run finishes a killed run`, async () => {
    await using scene = await logScene(kind)
    const { database, settings } = scene
    const day = 24 * HOUR_MS
    const of = (daysAgo: number, count: number) =>
      Array.from({ length: count }, () => ({ atMs: NOW_MS - daysAgo * day, message: `${daysAgo} days` }))
    await scene.write([...of(9, 30), ...of(6, 1), ...of(4, 20), ...of(2, 20), ...of(0, 5)])
    assert.equal(await deleteOldLogs(database, settings.kept, NOW_MS), 31)
    const distinct = async () => [...new Set((await searchAll(scene, '', 100)).found)]
    assert.deepEqual(await distinct(), ['0 days', '2 days', '4 days'])
    assert.equal(await deleteOldLogs(database, { ...settings.kept, maxRows: 30 }, NOW_MS), 20)
    assert.deepEqual([await distinct(), (await logSize(database)).entries], [['0 days', '2 days'], 25])
    // The process was killed after deleting the rows, before deleting their counts.
    await database.write(({ sql: unit }) => sql`delete from logs where message = '2 days'`.execute(unit))
    assert.equal(await deleteOldLogs(database, { ...settings.kept, maxBytes: 2_000 }, NOW_MS), 0)
    assert.deepEqual([await distinct(), (await logSize(database)).entries], [['0 days'], 5])
    assert.equal(await deleteOldLogs(database, { ...settings.kept, maxDays: 0 }, NOW_MS), 5)
  })

  test(`${kind.name}: the log queue waits while storing fails, reports dropped entries, and one bad entry affects no other`, async () => {
    await using scene = await logScene(kind)
    const { database, queue, book } = scene
    await fill(database)
    for (let at = 0; at < 2_500; at++) queue.note({ atMs: NOW_MS, level: 0, message: `m${at}`, account: '', address: '', data: {} })
    await book.flush()
    await makeRoom(database)
    await book.flush()
    const { found } = await searchAll(scene, '', 200)
    assert.equal(found.length, 2_001)
    assert.deepEqual(
      found.filter((message) => !message.startsWith('m')),
      ['log entries were dropped: the queue was full'],
    )
    assert.deepEqual((await searchLogs(database, { question: scene.ask('data.dropped = 500'), window: {}, most: 9 })).rows.length, 1)
    await scene.write([{ message: 'before' }, { message: 'bad', level: 0.5 + Number.MAX_VALUE }, { message: 'after' }])
    assert.deepEqual((await searchAll(scene, 'message = "before" || message = "after"', 9)).found, ['after', 'before'])
  })

  test(`${kind.name}: log settings decide whether addresses and account ids are stored, and from which level`, async () => {
    await using scene = await logScene(kind)
    const data = { userIP: '10.0.0.1', remoteIP: '10.0.0.2', authId: 'person000000001' }
    const entry = { address: '10.0.0.1', account: 'person000000001', data }
    scene.settings.kept = { ...scene.settings.kept, logIP: false, logAuthId: false, minLevel: 4 }
    await scene.write([
      { ...entry, level: 4, message: 'kept' },
      { ...entry, level: 0, message: 'not' },
    ])
    const stored = await scene.database.queries.selectFrom('logs').select(['message', 'account', 'address', 'data']).execute()
    assert.deepEqual(stored, [{ message: 'kept', account: '', address: '', data: '{}' }])
    scene.settings.kept = { ...scene.settings.kept, maxDays: 0 }
    await scene.write([{ level: 8 }])
    assert.equal((await logSize(scene.database)).entries, 1)
  })
}

/** Makes the database fail without space: SQLite really, PostgreSQL by its documented error code. */
async function fill(database: Database): Promise<void> {
  await database.write(async ({ sql: unit }) => {
    if (database.name === 'sqlite') return void (await sql`pragma max_page_count = 1`.execute(unit))
    await sql`create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(unit)
    await sql`create trigger full_disk before insert on logs execute function no_room()`.execute(unit)
  })
}

async function makeRoom(database: Database): Promise<void> {
  const room = database.name === 'sqlite' ? sql`pragma max_page_count = 1000000` : sql`drop function no_room cascade`
  await database.write(async ({ sql: unit }) => void (await room.execute(unit)))
}

test('sqlite: a damaged log database is renamed, and the hub starts with an empty log', async () => {
  const [sqlite] = databases
  assert.ok(sqlite)
  await using opened = await sqlite.open()
  assert.ok('directory' in opened.at)
  const { directory } = opened.at
  writeFileSync(join(directory, 'logs.sqlite'), 'this is not a database, and long enough to be looked at as one '.repeat(100))
  await using logs = await openLogDatabase(opened.database, directory, opened.bus, silentLog)
  assert.equal((await logSize(logs.database)).entries, 0)
  assert.match(readFileSync(join(directory, 'logs.sqlite.damaged'), 'utf8'), /^this is not a database/)
})
