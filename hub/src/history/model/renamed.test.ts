import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedNames } from '../../../../protocol/test/hostile-names.ts'
import { valuesAt } from '../../../test/stored-samples.ts'
import { containerIdentity } from './container-identity.ts'
import { joinRenamed } from './renamed.ts'
import { rolledUp } from './roll-up.ts'
import type { SeriesColumn, SeriesTable } from './series-table.ts'

const MINUTE_MS = 60_000
const _ = Number.NaN

/** A table of one field of containers, one point a minute; `_` where a container does not run. */
const cpuOf = (averages: Readonly<Record<string, readonly number[]>>): SeriesTable => ({
  times: (Object.values(averages)[0] ?? []).map((_value, at) => at * MINUTE_MS),
  series: Object.entries(averages)
    .map(([name, values]): SeriesColumn => ({ key: `${name}.cpuPercent`, average: Float64Array.from(values) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
})

const pointsOf = (table: SeriesTable) => table.times.map((_time, at) => valuesAt(table, at))

for (const [name, identity] of [
  ['shop_web_1', 'shop-web-1'],
  ['shop-web-1', 'shop-web-1'],
  ['3f2a9c81d0e4_shop-web-1', 'shop-web-1'],
  ['3f2a9c81d0e4_shop_web_1', 'shop-web-1'],
  ['shop_web.1.x7kq0v2m1n3b5c7z9a8s6d4f2', 'shop_web.1'],
  ['my_database', 'my_database'],
  ['my-database', 'my-database'],
  ['3f2a9c81d0e4_', '3f2a9c81d0e4_'],
  ['web.1.0', 'web.1.0'],
] as const) {
  test(`containerIdentity of ${name} is ${identity}`, () => assert.equal(containerIdentity(name), identity))
}

test('joinRenamed joins the series of a renamed container under its latest name, including its temporary name', () => {
  const table = cpuOf({
    shop_web_1: [1, 2, _, _, _, _],
    '3f2a9c81d0e4_shop_web_1': [_, _, 3, _, _, _],
    'shop-web-1': [_, _, _, 4, _, 5],
    other: [9, 9, 9, 9, 9, 9],
  })
  const { series, times } = joinRenamed(table)
  assert.deepEqual(series.map(({ key, average }) => [key, [...average]]).toSorted(), [
    ['other.cpuPercent', [9, 9, 9, 9, 9, 9]],
    ['shop-web-1.cpuPercent', [1, 2, 3, 4, _, 5]],
  ])
  assert.equal(times, table.times)
})

test('joinRenamed keeps two containers separate that ran at the same time', () => {
  const table = cpuOf({ a_b_1: [1, 1, _], 'a-b-1': [_, 2, 2] })
  assert.deepEqual(joinRenamed(table), table)
})

test('joinRenamed neither drops nor adds a value for any container names', () => {
  const name = fc.constantFrom(
    'a_b_1',
    'a-b-1',
    '0123456789ab_a-b-1',
    'a_b',
    'a-b',
    'c.1.abcdefghijklmnopqrstuvwxy',
    'c.1',
    ...inheritedNames,
  )
  const values = fc.array(fc.oneof(fc.constant(_), fc.integer({ min: 0, max: 100 })), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(fc.dictionary(name, values, { minKeys: 1 }), (averages) => {
      const table = cpuOf(averages)
      const numbers = (one: SeriesTable) => pointsOf(one).map((point) => Object.values(point).toSorted((a, b) => a - b))
      assert.deepEqual(numbers(joinRenamed(table)), numbers(table))
    }),
  )
})

test('joinRenamed of buckets equals the buckets of joined samples', () => {
  const rename = fc.integer({ min: 0, max: 30 })
  const values = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 30, maxLength: 30 })
  fc.assert(
    fc.property(rename, values, (at, all) => {
      const [before, after] = [all.map((value, one) => (one < at ? value : _)), all.map((value, one) => (one < at ? _ : value))]
      const samples = cpuOf({ a_b_1: before, 'a-b-1': after })
      const [found, expected] = [joinRenamed(rolledUp(samples, 10 * MINUTE_MS)), rolledUp(joinRenamed(samples), 10 * MINUTE_MS)]
      const exact = ({ series }: SeriesTable) => series.map(({ key, extremes }) => [key, extremes])
      assert.deepEqual(exact(found), exact(expected))
      // Both orders round the averages of buckets to two decimals.
      const averages = ({ series }: SeriesTable) => series.flatMap(({ average }) => [...average])
      const expectedAverages = averages(expected)
      for (const [place, average] of averages(found).entries()) assert.ok(Math.abs(average - (expectedAverages[place] ?? _)) <= 0.011)
    }),
  )
})
