import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Value } from './comparison.ts'
import { callFunction, functionNamed } from './functions.ts'
import { parseFilter } from './parse.ts'

const NOW_MS = Date.UTC(2024, 1, 29, 22, 5, 7, 89)
const call = (name: string, ...values: readonly Value[]): Value =>
  callFunction(
    name,
    values.map((value) => ({ type: 'constant', value })),
    NOW_MS,
  ).value

/** Results of SQLite's function of that name. */
const moments: readonly (readonly [expected: string, ...values: Value[]])[] = [
  ['2024-02-29 22:05:07.089', '%Y-%m-%d %H:%M:%f'],
  ['060 4 4 10 PM 29', '%j %w %u %I %p %e', 'now'],
  ['1709244307', '%s', 'now'],
  ['22:05 100%', '%R 100%%'],
  ['2024-03-31', '%F', '2024-02-29', '+1 month', 'start of month', '+30 days'],
  ['2023-12-31 23:59:59', '%F %T', '2024-01-01', '-1 second'],
  ['10:00', '%H:%M', '2024-06-01 10:00:00.000Z'],
  ['365', '%j', '0099-12-31'],
  ['0099-01-01', '%F', '0099-12-31', 'start of year'],
  ['0099-12-01', '%F', '0099-12-31', 'start of month'],
  ['0099-12-31 00:00', '%F %R', '0099-12-31 10:30', 'start of day'],
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

const sqlite = new DatabaseSync(':memory:')
after(() => sqlite.close())

/** SQLite's own result; where it is null, filters have `''`. */
function bySqlite(values: readonly string[]): string {
  const row = sqlite.prepare(`select strftime(${values.map(() => '?').join(', ')}) as text`).get(...values)
  return String(row?.['text'] ?? '')
}

const moment = fc
  // The times are so far from the years 0 and 9999 that no modifier passes these limits. SQLite also accepts years below 0.
  .date({ min: new Date('1300-01-01T00:00:00Z'), max: new Date('8700-12-31T23:59:59Z'), noInvalidDate: true })
  .chain((date) => {
    const [day = '', clock = ''] = date.toISOString().split('T')
    return fc.constantFrom(
      day,
      `${day} ${clock.slice(0, 5)}`,
      `${day}T${clock.slice(0, 8)}`,
      `${day} ${clock}`,
      `${day}T${clock.slice(0, -1)}`,
    )
  })
const modifier = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '+', '-'),
      fc.integer({ min: 0, max: 400 }),
      fc.constantFrom('day', 'hour', 'minute', 'second', 'month', 'year', 'days', 'hours', 'minutes', 'seconds', 'months', 'years'),
    )
    .map(([sign, amount, unit]) => `${sign}${amount} ${unit}`),
  fc.constantFrom(
    'start of day',
    'start of month',
    'start of year',
    '+1.5 days',
    '-0.25 hours',
    'start of week',
    'day',
    '1 fortnight',
    'x1 day',
    '1 days x',
    '',
  ),
)

test('strftime returns the same text as SQLite for every supported conversion', () => {
  const format = '%Y|%m|%d|%e|%H|%I|%M|%S|%f|%p|%s|%w|%u|%j|%F|%R|%T|%% and text'
  fc.assert(
    fc.property(moment, fc.array(modifier, { maxLength: 3 }), (time, modifiers) => {
      assert.equal(call('strftime', format, time, ...modifiers), bySqlite([format, time, ...modifiers]), `${time} ${modifiers.join()}`)
    }),
    { numRuns: 500 },
  )
})

for (const time of ['2024-01-01 25:00', '2024-1-1', 'x2024-01-01', '2024-01-01 10', '2024-01-01x', '2024-01-01 10:00 x', '']) {
  test(`strftime: ${JSON.stringify(time)} is not a valid time`, () => assert.equal(call('strftime', '%Y', time), ''))
}

test('strftime: %J is the Julian day, and the modifiers utc and localtime mean UTC', () => {
  assert.equal(call('strftime', '%J', '2024-02-29 12:00'), '2460370')
  assert.equal(call('strftime', '%F %R', '2024-02-29 12:00', 'utc'), '2024-02-29 12:00')
  assert.equal(call('strftime', '%F %R', '2024-02-29 12:00', 'localtime'), '2024-02-29 12:00')
})

test('strftime returns an empty text for a format, time or modifier that is not a text', () => {
  assert.equal(call('strftime', 5, 'now'), '')
  assert.equal(call('strftime', null, 'now'), '')
  assert.equal(call('strftime', '%Y', 5), '')
  assert.equal(call('strftime', '%Y', null), '')
  assert.equal(call('strftime', '%Y', 'now', 5), '')
  assert.equal(call('strftime', '%', 'now'), '')
  assert.equal(call('strftime', '%constructor', 'now'), '')
  assert.equal(call('strftime', 'no letters', 'now'), 'no letters')
  assert.equal(call('strftime', '%Y%Y\n%m'), '20242024\n02')
})

test('strftime returns an empty text outside the years 0 to 9999', () => {
  assert.equal(call('strftime', '%Y', '9999-06-01', '+1 year'), '')
  assert.equal(call('strftime', '%Y', '9998-06-01', '+1 year'), '9999')
  assert.equal(call('strftime', '%Y', '0001-06-01', '-1 year'), '0000')
  assert.equal(call('strftime', '%Y', '0001-06-01', '-2 years'), '')
})

test('callFunction returns the type of the function and checks the number of arguments', () => {
  assert.equal(callFunction('strftime', [{ type: 'text', value: '%Y' }], NOW_MS).type, 'text')
  assert.equal(
    callFunction(
      'geoDistance',
      Array.from({ length: 4 }, () => ({ type: 'number', value: 1 }) as const),
      NOW_MS,
    ).type,
    'number',
  )
  for (const [name, counts] of [
    ['geoDistance', [4]],
    ['strftime', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ] as const)
    for (let count = 0; count <= 12; count++) {
      if (counts.some((one) => one === count)) assert.equal(functionNamed(name, count).leastArguments, counts[0])
      else assert.throws(() => functionNamed(name, count), { name: 'FilterError', message: new RegExp(`"${name}" takes ${counts[0]} to`) })
    }
  assert.throws(() => functionNamed('constructor', 1), { name: 'FilterError', message: /there is no function "constructor"/ })
})

for (const [values, km] of [
  [[0, 0, 180, 0], 20_015],
  [[0, 90, 0, -90], 20_015],
  [[0, 0, 90, 0], 10_008],
  [[10, 60, 20, 60], 555],
  [[-74, 40.7, 139.7, 35.7], 10_849],
] as const) {
  test(`geoDistance of ${values.join()} is ${km} km`, () => assert.equal(Math.round(Number(call('geoDistance', ...values))), km))
}

test('geoDistance returns null for arguments that are not numbers', () => {
  for (const wrong of ['', ' ', 'x', null, Number.POSITIVE_INFINITY, '1e999'])
    for (let at = 0; at < 4; at++) assert.equal(call('geoDistance', ...[1, 2, 3, 4].with(at, wrong as number)), null, `${wrong} at ${at}`)
})

test('geoDistance returns kilometres, and null for a missing number', () => {
  assert.equal(Math.round(Number(call('geoDistance', 13.4, 52.5, 2.35, 48.85))), 877)
  assert.equal(call('geoDistance', 1, 2, 1, 2), 0)
  assert.equal(call('geoDistance', '1', '2', 1, 2), 0)
  assert.equal(call('geoDistance', null, 2, 3, 4), null)
})

for (const filter of ["lower(name) = 'x'", 'strftime() = 1', 'geoDistance(1, 2) = 1', 'toString(1) = 1']) {
  test(`callFunction refuses ${filter}`, () => {
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
