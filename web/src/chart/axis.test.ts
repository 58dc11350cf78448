import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { axisFor, formatOnAxis, formatSpreadOnAxis } from './axis.ts'

const GIBIBYTE = 1024 ** 3

test('axisFor percent with a fixed top steps to 100 in quarters', () => {
  const axis = axisFor({ unit: 'percent', top: 100, startsAtZero: true }, { lowest: 3, highest: 41 })
  assert.deepEqual(axis.steps, [0, 25, 50, 75, 100])
})

test('axisFor memory ends at the total and steps in round gigabytes', () => {
  const axis = axisFor({ unit: 'bytes', top: 15.6 * GIBIBYTE, startsAtZero: true }, { lowest: 0, highest: 9 * GIBIBYTE })
  assert.equal(axis.highest, 15.6 * GIBIBYTE)
  assert.deepEqual(
    axis.steps.map((step) => formatOnAxis(step, axis, true, 'en')),
    ['0 GB', '4 GB', '8 GB', '12 GB', '15.6 GB'],
  )
})

test('axisFor leaves a total untold that would stand on the last step', () => {
  const axis = axisFor({ unit: 'bytes', top: 4.3 * GIBIBYTE, startsAtZero: true }, { lowest: 0, highest: GIBIBYTE })
  assert.equal(formatOnAxis(axis.steps.at(-1) ?? 0, axis, true, 'en'), '4 GB')
})

test('axisFor mirrored rates has one scale up and down', () => {
  const axis = axisFor({ unit: 'bytesPerSecond', startsAtZero: true }, { lowest: -3_000_000, highest: 900_000 })
  assert.equal(axis.lowest, -axis.highest)
  assert.ok(axis.steps.includes(0))
  assert.equal(formatOnAxis(-1_048_576, axis, true, 'en'), '1 MB/s')
})

test('axisFor temperature does not start at zero', () => {
  const axis = axisFor({ unit: 'celsius', startsAtZero: false }, { lowest: 38.2, highest: 57.4 })
  assert.deepEqual([axis.lowest, axis.highest], [35, 60])
})

test('axisFor lets a value above a fixed top be seen', () => {
  assert.ok(axisFor({ unit: 'percent', top: 100, startsAtZero: true }, { lowest: 0, highest: 130 }).highest >= 130)
})

test('axisFor holds every value between its ends, with few steps inside them', () => {
  const values = fc.double({ min: -1e13, max: 1e13, noNaN: true })
  fc.assert(
    fc.property(
      fc.constantFrom('percent', 'bytes', 'bytesPerSecond', 'celsius'),
      fc.boolean(),
      values,
      values,
      (unit, startsAtZero, a, b) => {
        const extent = { lowest: Math.min(a, b), highest: Math.max(a, b) }
        const { lowest, highest, steps } = axisFor({ unit, startsAtZero }, extent)
        const slack = 1e-6 * Math.max(1, Math.abs(extent.lowest), Math.abs(extent.highest))
        assert.ok(lowest <= extent.lowest + slack && highest >= extent.highest - slack, `${lowest}…${highest}`)
        assert.ok(steps.length >= 1 && steps.length <= 8, `${steps.length} steps`)
        assert.ok(steps.every((step) => step >= lowest - slack && step <= highest + slack))
      },
    ),
  )
})

for (const [unit, divisor, lowest, highest, text] of [
  ['%', 1, 3, 40.04, '3–40 %'],
  ['GB', GIBIBYTE, GIBIBYTE / 2, 2 * GIBIBYTE, '0.5–2 GB'],
  ['', 1, 0.25, 4, '0.25–4'],
  ['°C', 1, -3, 5, '-3 – 5 °C'],
] as const) {
  test(`formatSpreadOnAxis writes ${text} with one unit`, () =>
    assert.equal(formatSpreadOnAxis({ lowest, highest }, { scale: { unit, divisor } }, 'en'), text))
}
