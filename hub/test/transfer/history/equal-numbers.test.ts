import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { recordDate } from '../../../src/records/model/stored-record.ts'
import { databases } from '../../databases.ts'
import { rowsOfSystem, type ForeignHistory, type WrittenRow } from './foreign-history.ts'
import { foreignHubWith, importScene, systemIds } from './import-scene.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const UNTIL_MS = Date.UTC(2026, 10, 26, 14, 23, 30)
const lengthsMs: Readonly<Record<string, number>> = {
  '10m': 10 * MINUTE_MS,
  '20m': 20 * MINUTE_MS,
  '120m': 120 * MINUTE_MS,
  '480m': 480 * MINUTE_MS,
}

/** Every number of a row's JSON by its path; texts and the state of a battery are no series. */
function* numbersIn(json: Json, path = ''): Generator<readonly [path: string, value: number]> {
  if (typeof json === 'number' && path !== '.bat.1') yield [path, json]
  if (typeof json !== 'object' || json === null) return
  for (const [name, item] of Object.entries(json)) yield* numbersIn(item, `${path}.${name}`)
}

const byName = (stats: Json): Json =>
  Array.isArray(stats) ? Object.fromEntries((stats as readonly { readonly n: string }[]).map((one) => [one.n, one])) : stats

/**
 * How the numbers of a row come back: `alone`, unchanged, because its buckets have only this row; `averaged`, as the average of finer rows;
 * `mixed`, where finer rows have only a part of its time. A mixed row is the oldest of its type at most.
 */
function wayOf({ type, endMs }: WrittenRow, rows: readonly WrittenRow[]): 'alone' | 'averaged' | 'mixed' {
  const hour = Math.floor((UNTIL_MS - 3 * MINUTE_MS) / HOUR_MS) * HOUR_MS
  const today = Math.floor(hour / DAY_MS) * DAY_MS
  const lengthMs = lengthsMs[type] ?? 0
  const startMs = endMs - lengthMs
  /** How many buckets of this length, within the row's time, rows of these types cover. */
  const covered = (types: readonly string[], bucketMs: number): number => {
    const starts = new Set<number>()
    for (const row of rows.filter((one) => types.includes(one.type)))
      for (let at = row.endMs - (lengthsMs[row.type] ?? 0); at < row.endMs; at += 10 * MINUTE_MS)
        if (at >= startMs && at < endMs) starts.add(Math.floor(at / bucketMs) * bucketMs)
    return starts.size
  }
  const parts = (found: number, all: number) => (found === 0 ? 'alone' : found === all ? 'averaged' : 'mixed')
  if (type === '1m') return 'alone'
  if (type === '10m') return endMs <= hour ? 'alone' : 'averaged'
  if (type === '20m') return endMs > hour ? 'averaged' : parts(covered(['10m'], 10 * MINUTE_MS), 2)
  if (type === '480m') return parts(covered(['10m', '20m', '120m'], 2 * HOUR_MS), 4)
  const tens = covered(['10m', '20m'], 10 * MINUTE_MS)
  return tens === 12 ? 'averaged' : tens === 0 || startMs < today ? 'alone' : 'mixed'
}

/** Two decimals, or two units of whole numbers, for each time that either hub rounds; averages of bytes keep 16 bits. */
const tolerance = (type: string, value: number): number => {
  const roundings = type === '120m' || type === '480m' ? 3 : 1
  return Number.isInteger(value) && value > 1000
    ? Math.max(2 * roundings, value / 2 ** 14)
    : Number.isInteger(value)
      ? roundings
      : 0.0101 * roundings
}

type Numbers = { alone: number; averaged: number; mixed: number }

/** Compares the rows of one system and table with what this hub's records answer, and counts the numbers. */
async function assertEqualRows({ records }: ReturnType<typeof importScene>, rows: readonly WrittenRow[], numbers: Numbers): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const load = records(first.table === 'system_stats' ? 'system' : 'containers').load
  const answers = await load({ systems: [first.system], createdFrom: recordDate(0) })
  const byKey = new Map(answers.map((record) => [`${String(record['type'])} ${String(record['created'])}`, record['stats']]))
  for (const row of rows) {
    const what = `${row.type} ${recordDate(row.type === '1m' ? row.createdMs : row.endMs)}`
    const answer = byKey.get(what)
    assert.ok(answer !== undefined, `${row.table} ${what} is missing`)
    const way = wayOf(row, rows)
    const ours = new Map(numbersIn(byName(answer)))
    for (const [path, value] of numbersIn(byName(row.stats))) {
      numbers[way]++
      assertEqualNumber({ way, type: row.type, what: `${row.table} ${what} ${path}` }, ours.get(path), value)
    }
  }
}

type Compared = { readonly way: keyof Numbers; readonly type: string; readonly what: string }

function assertEqualNumber({ way, type, what }: Compared, given: number | undefined, value: number): void {
  if (way === 'alone') assert.equal(given, value, what)
  if (way === 'averaged')
    assert.ok(Math.abs((given ?? Number.NaN) - value) <= tolerance(type, value), `${what}: ${given} is not near ${value}`)
}

async function assertEqualNumbers(history: ForeignHistory): Promise<void> {
  const [kind] = databases
  await using one = await kind!.open()
  const scene = importScene(one, UNTIL_MS)
  using foreign = foreignHubWith(history)
  await scene.take(foreign, history.systems)
  const numbers = { alone: 0, averaged: 0, mixed: 0 }
  for (const [index] of history.systems.entries())
    for (const table of ['system_stats', 'container_stats'] as const) {
      const rows = [...rowsOfSystem(history, index)].filter((row) => row.table === table)
      await assertEqualRows(scene, rows, numbers)
    }
  const { alone, averaged, mixed } = numbers
  assert.ok(alone > 10_000 && averaged > 5000 && mixed < alone / 50, JSON.stringify(numbers))
}

test('planHistory: every number of every row comes back through the records, equal to the other hub’s rounding', () =>
  assertEqualNumbers({ systems: systemIds(2), containers: 2, untilMs: UNTIL_MS, sampleHours: 1.5, isRich: true }))

test('planHistory: the numbers of a hub that was stopped days ago come back', () =>
  assertEqualNumbers({ systems: systemIds(1), containers: 2, untilMs: UNTIL_MS - 3 * DAY_MS, sampleHours: 2, isRich: true }))
