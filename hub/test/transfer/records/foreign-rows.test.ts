import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { foreignDate, foreignJson, foreignRows, foreignText } from '../../../src/operations/transfer/records/rows/foreign-rows.ts'

test('foreignDate reads dates of records and of Go, and nothing else', () => {
  const cases: readonly (readonly [stored: string | number | null, date: string])[] = [
    ['2026-11-23 14:37:00.041Z', '2026-11-23 14:37:00.041Z'],
    ['2026-11-23 14:37:00.041426797 +0000 UTC', '2026-11-23 14:37:00.041Z'],
    ['2026-11-23 14:37:00 +0000 UTC m=+0.012', '2026-11-23 14:37:00.000Z'],
    ['2026-11-23 16:37:00.5 +0200 CEST', '2026-11-23 14:37:00.500Z'],
    ['2026-11-31 10:00:00.000Z', '2026-12-01 10:00:00.000Z'],
    ['2026-13-01 10:00:00.000Z', ''],
    ['0001-01-01 00:00:00 +0000 UTC', '0001-01-01 00:00:00.000Z'],
    ['yesterday', ''],
    [1795444838838, ''],
    ['', ''],
    [null, ''],
  ]
  for (const [created, date] of cases) assert.equal(foreignDate({ created }, 'created'), date, String(created))
  assert.equal(foreignDate({}, 'created'), '')
})

test('foreignRows reads values of all types, and a missing table has no rows', () => {
  using database = new DatabaseSync(':memory:')
  database.exec(
    `create table t (a, b, created);
    insert into t values (9007199254740993, X'7b2261223a317d', '1'), ('x' || char(0) || 'y', '{"a\\u0000":["\\u0000b"]}', '2'), (null, '{', '3')`.replace(
      '22 3a',
      '223a',
    ),
  )
  const rows = [...foreignRows(database, 't', 'newest')]
  assert.deepEqual(
    rows.map(({ created }) => created),
    ['3', '2', '1'],
  )
  assert.deepEqual(
    rows.map((row) => foreignText(row, 'a')),
    ['', 'xy', '9007199254740992'],
  )
  assert.deepEqual(
    rows.map((row) => foreignJson(row, 'b')),
    [undefined, { a: ['b'] }, { a: 1 }],
  )
  assert.deepEqual([...foreignRows(database, 'none')], [])
})
