import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { growthRate, medianOf, slopeOf, type SeriesPoint } from './slope.ts'

const HOUR_MS = 3_600_000
/** A value every 10 minutes for 24 h. */
const COUNT = 144
const series = (valueAt: (hour: number, at: number) => number): readonly SeriesPoint[] =>
  Array.from({ length: COUNT }, (_, at) => ({ atMs: at * 600_000, value: valueAt(at / 6, at) }))
/** Repeatable noise from -1 to 1. */
const noise = (at: number): number => ((Math.sin(at * 12.9898) * 43_758.5453) % 1) * 2 - (Math.sin(at * 12.9898) < 0 ? -1 : 1)
const near = (one: number, other: number, by = 1e-9): boolean => Math.abs(one - other) <= by * Math.max(1, Math.abs(other))

const cases: readonly {
  readonly title: string
  readonly valueAt: (hour: number, at: number) => number
  readonly value: number
  readonly isExact: boolean
}[] = [
  { title: 'a constant', valueAt: () => 7, value: 0, isExact: true },
  { title: 'a steady growth', valueAt: (hour) => 20 + hour * 0.5, value: 0.5, isExact: true },
  { title: 'a steady fall', valueAt: (hour) => 90 - hour * 0.5, value: -0.5, isExact: true },
  { title: 'a constant with one step', valueAt: (hour) => (hour < 12 ? 30 : 80), value: 0, isExact: true },
  { title: 'a growth with one step down', valueAt: (hour) => (hour < 12 ? 80 : 30) + hour, value: 1, isExact: true },
  { title: 'a growth with every fifth value wrong', valueAt: (hour, at) => (at % 5 === 2 ? 100 : hour), value: 1, isExact: true },
]

for (const { title, valueAt, value, isExact } of cases)
  test(`slopeOf: ${title}`, () => {
    const slope = slopeOf(series(valueAt)) ?? assert.fail('it has enough values')
    assert.ok(near(slope.value, value), `${slope.value} is not ${value}`)
    assert.equal(near(slope.high, slope.low), isExact)
  })

test('slopeOf: noise widens the interval, and it contains the true slope', () => {
  const slope = slopeOf(series((hour, at) => 50 + hour * 0.5 + noise(at) * 3)) ?? assert.fail('it has enough values')
  assert.ok(slope.low < 0.5 && slope.high > 0.5 && slope.high > slope.low + 0.05)
})

test('slopeOf: growth in one half of the time only is uncertain', () => {
  const slope = slopeOf(series((hour) => Math.max(0, hour - 12))) ?? assert.fail('it has enough values')
  assert.ok(slope.low < 0 && slope.high > 0.5)
})

test('slopeOf is undefined for too few values, equal times and a long gap', () => {
  const steady = series((hour) => hour)
  assert.equal(slopeOf([]), undefined)
  assert.equal(slopeOf(steady.slice(0, 4)), undefined)
  assert.equal(slopeOf(steady.map(({ value }) => ({ atMs: 5, value }))), undefined)
  assert.equal(slopeOf(steady.filter(({ atMs }) => atMs < 5 * HOUR_MS || atMs > 19 * HOUR_MS)), undefined)
  assert.ok(near(slopeOf(steady.filter(({ atMs }) => atMs < 8 * HOUR_MS || atMs > 12 * HOUR_MS))?.value ?? 0, 1))
})

const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: COUNT, maxLength: COUNT })

test('slopeOf scales with the values and does not depend on their offset', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.1, max: 10, noNaN: true }), fc.integer({ min: -1000, max: 1000 }), (some, factor, offset) => {
      const [one, other] = [slopeOf(series((_, at) => some[at] ?? 0)), slopeOf(series((_, at) => (some[at] ?? 0) * factor + offset))]
      assert.ok(one !== undefined && other !== undefined && one.low <= one.value && one.value <= one.high)
      for (const end of ['value', 'low', 'high'] as const) assert.ok(near(other[end], one[end] * factor, 1e-6))
    }),
  )
})

test('slopeOf finds the growth with up to 20 % outliers anywhere', () => {
  const outliers = fc.uniqueArray(fc.integer({ min: 0, max: COUNT - 1 }), { maxLength: COUNT / 5 })
  fc.assert(
    fc.property(outliers, fc.constantFrom(0, 0.3, 2), fc.constantFrom(-50, 50), (wrong, growth, error) => {
      const slope = slopeOf(series((hour, at) => hour * growth + (wrong.includes(at) ? error : 0)))
      assert.ok(slope !== undefined && near(slope.value, growth, 1e-6), `${slope?.value} is not ${growth}`)
    }),
  )
})

test('growthRate: a lasting growth counts, a single step or outlier does not', () => {
  const minutes = (valueAt: (minute: number) => number) =>
    Array.from({ length: 11 }, (_, minute) => ({ atMs: minute * 60_000, value: valueAt(minute) }))
  assert.ok(near(growthRate(minutes((minute) => 40 + minute)) ?? 0, 60))
  assert.ok(near(growthRate(minutes((minute) => 40 - minute)) ?? 0, -60))
  assert.equal(growthRate(minutes(() => 40)), 0)
  for (let step = 0; step <= 10; step++) {
    assert.equal(growthRate(minutes((minute) => (minute < step ? 10 : 90))), 0)
    assert.equal(growthRate(minutes((minute) => (minute === step ? 90 : 10))), 0)
  }
  assert.equal(growthRate(minutes(() => 40).slice(0, 4)), undefined)
  assert.equal(growthRate(minutes(() => 40).map(({ value }) => ({ atMs: 5, value }))), undefined)
})

test('medianOf returns the middle value, or the mean of the two middle ones', () => {
  assert.deepEqual([medianOf([3, 1, 2]), medianOf([10, 1, 2, 3]), medianOf([4])], [2, 2.5, 4])
  assert.ok(Number.isNaN(medianOf([])))
})
