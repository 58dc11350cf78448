import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Value } from './comparison.ts'
import { callFunction } from './functions.ts'
import { parseFilter } from './parse.ts'

const NOW_MS = Date.UTC(2024, 1, 29, 22, 5, 7, 89)
const call = (name: string, ...values: readonly Value[]): Value =>
  callFunction(
    name,
    values.map((value) => ({ type: 'constant', value })),
    NOW_MS,
  ).value

/** As SQLite's function of that name answers. */
const moments: readonly (readonly [expected: string, ...values: Value[]])[] = [
  ['2024-02-29 22:05:07.089', '%Y-%m-%d %H:%M:%f'],
  ['060 4 4 10 PM 29', '%j %w %u %I %p %e', 'now'],
  ['1709244307', '%s', 'now'],
  ['22:05 100%', '%R 100%%'],
  ['2024-03-31', '%F', '2024-02-29', '+1 month', 'start of month', '+30 days'],
  ['2023-12-31 23:59:59', '%F %T', '2024-01-01', '-1 second'],
  ['10:00', '%H:%M', '2024-06-01 10:00:00.000Z'],
  ['', '%Y', 'junk'],
  ['', '%Y', '2024-13-01'],
  ['', '%Q'],
  ['', '%Y', 'now', 'start of the world'],
  ['', '%Y', '2024-01-01', '+999999999 days'],
]

for (const [expected, ...values] of moments) {
  test(`strftime of ${JSON.stringify(values)} is ${JSON.stringify(expected)}`, () => {
    assert.equal(call('strftime', ...values), expected)
  })
}

test('geoDistance is in kilometres, and null where a number is missing', () => {
  assert.equal(Math.round(Number(call('geoDistance', 13.4, 52.5, 2.35, 48.85))), 877)
  assert.equal(call('geoDistance', 1, 2, 1, 2), 0)
  assert.equal(call('geoDistance', '1', '2', 1, 2), 0)
  assert.equal(call('geoDistance', null, 2, 3, 4), null)
})

for (const filter of ["lower(name) = 'x'", 'strftime() = 1', 'geoDistance(1, 2) = 1', 'toString(1) = 1']) {
  test(`callFunction knows no ${filter}`, () => {
    const { left } = parseFilter(filter) as Extract<ReturnType<typeof parseFilter>, { kind: 'compare' }> // each is one comparison
    assert.ok(left.kind === 'call')
    assert.throws(() => call(left.name, ...left.values.map(() => 1)), { name: 'FilterError' })
  })
}

for (const filter of [
  'strftime( = 1',
  "strftime('%Y' = 1",
  "strftime('%Y' 'now') = 1",
  'strftime(,) = 1',
  `${'strftime('.repeat(5)}'x'${')'.repeat(5)} = 1`,
]) {
  test(`parseFilter refuses ${filter}`, () => {
    assert.throws(() => parseFilter(filter), { name: 'FilterError' })
  })
}
