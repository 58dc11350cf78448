import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { averageOver, type Readings } from './recent-readings.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 0, 10, 12)

/** Values of the last minutes, the newest last; undefined: nothing was measured. */
function minutes(...values: readonly (number | undefined)[]): Readings {
  const known = values.flatMap((value, index) =>
    value === undefined ? [] : [{ value, atMs: NOW_MS - (values.length - 1 - index) * MINUTE_MS }],
  )
  return { times: known.map(({ atMs }) => atMs), targets: new Map([['', known.map(({ value }) => value)]]) }
}

const over = (readings: Readings, length: number, direction: 'above' | 'below' = 'above') =>
  averageOver(readings, { minutes: length, direction, at: readings.times.length - 1 })

const cases: readonly (readonly [what: string, readings: Readings, minutes: number, expected: number | undefined])[] = [
  ['is the mean of the minutes asked for, not of the one before', minutes(900, 10, 20, 30), 3, 20],
  ['is not known before the minutes have passed', minutes(10, 20, 30), 3, undefined],
  ['is not known of nothing', minutes(), 3, undefined],
  ['stands with one minute of six missing', minutes(0, 10, undefined, 10, 10, 10, 10), 6, 10],
  ['falls with two missing', minutes(0, 10, undefined, undefined, 10, 10, 10), 6, undefined],
  [
    'says nothing after a long silence until enough was measured',
    minutes(90, ...Array.from({ length: 30 }, () => undefined), 90, 90),
    10,
    undefined,
  ],
]

for (const [what, readings, length, expected] of cases) {
  test(`averageOver ${what}`, () => assert.equal(over(readings, length)?.value, expected))
}

test('averageOver names the target where it is most extreme, each by its own minutes', () => {
  const readings = {
    times: [3, 2, 1, 0].map((ago) => NOW_MS - ago * MINUTE_MS),
    targets: new Map([
      ['root', [40, 40, 40, 40]],
      ['data', [80, 80, 80, 80]],
      ['stick', [Number.NaN, Number.NaN, Number.NaN, 99]],
    ]),
  }
  assert.deepEqual(over(readings, 3), { target: 'data', value: 80 })
  assert.deepEqual(over(readings, 3, 'below'), { target: 'root', value: 40 })
})

test('averageOver lies between the least and the most of the minutes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 3, maxLength: 70 }), (values) => {
      const found = over(minutes(...values), values.length - 1)
      assert.ok(found !== undefined)
      const counted = values.slice(1)
      assert.ok(found.value >= Math.min(...counted) - 1e-9 && found.value <= Math.max(...counted) + 1e-9)
    }),
  )
})
