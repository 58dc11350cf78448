import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { levelKind } from './alert-kinds.ts'
import { judge, sideOf, type Readings, averageOver, extremeAt, extremeOf, isBeyond } from './alert-rule.ts'

const MINUTE_MS = 60_000
const kind = levelKind('CPU') ?? assert.fail('CPU is a level')

test('sideOf: the threshold itself is within, and nothing known is on no side', () => {
  const rule = { threshold: 80, minutes: 1 }
  assert.deepEqual(
    [79, 80, 81].map((value) => sideOf({ value, target: '' }, rule, kind)),
    ['within', 'within', 'beyond'],
  )
  assert.equal(sideOf(undefined, rule, kind), 'unknown')
})

const readings: Readings = {
  times: [0, 1, 2, 3].map((minute) => minute * MINUTE_MS),
  targets: new Map([['', [90, 90, 90, 60]]]),
}

test('judge: the reading and the average of the minutes are judged each, at the time of the reading', () => {
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 3 }, kind, now: { value: 60, target: '' }, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'within', average: 'beyond' })
  assert.deepEqual(average, { value: 80, target: '' })
})

test('judge: of a rule of one minute the reading is the average', () => {
  const now = { value: 95, target: 'of its own' }
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 1 }, kind, now, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'beyond', average: 'beyond' })
  assert.equal(average, now)
})

test('judge: where readings do not reach back far enough the average is unknown', () => {
  const { event, average } = judge(readings, { rule: { threshold: 70, minutes: 10 }, kind, now: undefined, at: 3 })
  assert.deepEqual(event, { kind: 'level', atMs: 3 * MINUTE_MS, now: 'unknown', average: 'unknown' })
  assert.equal(average, undefined)
})

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

test('averageOver leaves out the minutes at which a target was not known', () => {
  const readings = {
    times: [6, 5, 4, 3, 2, 1, 0].map((ago) => NOW_MS - ago * MINUTE_MS),
    targets: new Map([
      ['stick', [Number.NaN, Number.NaN, Number.NaN, 90, 90, 90, 90]],
      ['root', [40, 40, Number.NaN, 40, 40, 40, 40]],
      ['data', [30, 30, 30, 30, 30, 30, 30]],
    ]),
  }
  assert.deepEqual(over(readings, 6), { target: 'root', value: 40 })
})

test('averageOver takes a reading that came ten seconds late as one of the minutes, and one a moment later not', () => {
  const from = (firstMs: number): Readings => ({ times: [firstMs, NOW_MS - MINUTE_MS, NOW_MS], targets: new Map([['', [70, 10, 10]]]) })
  assert.equal(over(from(NOW_MS - 2 * MINUTE_MS + 10_000), 2)?.value, 30)
  assert.equal(over(from(NOW_MS - 2 * MINUTE_MS + 10_001), 2), undefined)
})

for (const [value, threshold, direction, expected] of [
  [81, 80, 'above', true],
  [80, 80, 'above', false],
  [79, 80, 'above', false],
  [19, 20, 'below', true],
  [20, 20, 'below', false],
  [21, 20, 'below', false],
] as const) {
  test(`isBeyond: ${value} is ${expected ? '' : 'not '}${direction} ${threshold}`, () =>
    assert.equal(isBeyond(value, threshold, direction), expected))
}

test('extremeOf names the target with the highest or the lowest value, and nothing of an empty reading', () => {
  const reading = new Map([
    ['root', 40],
    ['data', 80],
    ['stick', 60],
  ])
  assert.deepEqual(extremeOf(reading, 'above'), { target: 'data', value: 80 })
  assert.deepEqual(extremeOf(reading, 'below'), { target: 'root', value: 40 })
  assert.equal(extremeOf(new Map(), 'above'), undefined)
})

test('extremeAt looks at one time, leaves out what was not known then, and keeps the first of equal values', () => {
  const readings: Readings = {
    times: [0, 1],
    targets: new Map([
      ['stick', [99, Number.NaN]],
      ['root', [10, 40]],
      ['data', [20, 40]],
      ['tmp', [30, 20]],
    ]),
  }
  assert.deepEqual(extremeAt(readings, 0, 'above'), { target: 'stick', value: 99 })
  assert.deepEqual(extremeAt(readings, 1, 'above'), { target: 'root', value: 40 })
  assert.deepEqual(extremeAt(readings, 1, 'below'), { target: 'tmp', value: 20 })
  assert.equal(extremeAt(readings, 2, 'above'), undefined)
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
