import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatOnAxis, formatSpreadOnAxis, formatStep } from './axis.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { axisFor, scaleFor } from './drawing-layout.ts'

const english = { locale: 'en' }

const GIBIBYTE = 1024 ** 3

test('axisFor percent with a fixed top steps to 100 in quarters', () => {
  const axis = axisFor({ unit: 'percent', top: 100, startsAtZero: true }, { lowest: 3, highest: 41 })
  assert.deepEqual(axis.steps, [0, 25, 50, 75, 100])
})

test('axisFor a count has whole-number steps, even if all values are 0', () => {
  const stepsTo = (highest: number) => axisFor({ unit: 'count', startsAtZero: true }, { lowest: 0, highest }).steps
  assert.deepEqual(stepsTo(0), [0, 1, 2, 3, 4])
  assert.deepEqual(stepsTo(9), [0, 5, 10])
  assert.deepEqual(stepsTo(70), [0, 20, 40, 60, 80])
})

test('axisFor memory ends at the total and steps in round gigabytes', () => {
  const axis = axisFor({ unit: 'bytes', top: 15.6 * GIBIBYTE, startsAtZero: true }, { lowest: 0, highest: 9 * GIBIBYTE })
  assert.equal(axis.highest, 15.6 * GIBIBYTE)
  assert.deepEqual(
    axis.steps.map((step) => formatOnAxis(step, axis, english)),
    ['0 GB', '4 GB', '8 GB', '12 GB', '15.6 GB'],
  )
})

test('formatStep shortens a million without unit scales in the words of the language, and formats other values as usual', () => {
  const texts = (unit: ChartDrawing['unit'], highest: number, locale: string) => {
    const axis = axisFor({ unit, startsAtZero: true }, { lowest: 0, highest })
    return axis.steps.map((step) => formatStep(step, axis, { locale }, true))
  }
  assert.deepEqual(texts('load', 25_000_000, 'en'), ['0', '10M', '20M', '30M'])
  assert.deepEqual(texts('load', 25_000_000, 'de').at(-1), '30\u00a0Mio.')
  assert.deepEqual(texts('rpm', 1e15, 'en').at(-1), '1000T rpm')
  assert.deepEqual(texts('load', 700_000, 'en').at(-1), '800,000')
  assert.deepEqual(texts('bytes', 1e15, 'en').at(-1), '1 PB')
  const mirrored = axisFor({ unit: 'load', startsAtZero: true }, { lowest: -2e6, highest: 0 })
  assert.deepEqual(
    [true, false].map((isDirection) => formatStep(-2e6, mirrored, english, isDirection)),
    ['2M', '-2M'],
  )
})

test('axisFor omits the label of a total that would overlap the last step', () => {
  const axis = axisFor({ unit: 'bytes', top: 4.3 * GIBIBYTE, startsAtZero: true }, { lowest: 0, highest: GIBIBYTE })
  assert.equal(formatOnAxis(axis.steps.at(-1) ?? 0, axis, english), '4 GB')
})

test('axisFor mirrored rates has the same scale above and below zero', () => {
  const axis = axisFor({ unit: 'bytesPerSecond', startsAtZero: true }, { lowest: -3_000_000, highest: 900_000 })
  assert.equal(axis.lowest, -axis.highest)
  assert.ok(axis.steps.includes(0))
  assert.equal(formatOnAxis(-1_048_576, axis, english), '1 MB/s')
})

test('axisFor temperature does not start at zero', () => {
  const axis = axisFor({ unit: 'celsius', startsAtZero: false }, { lowest: 38.2, highest: 57.4 })
  assert.deepEqual([axis.lowest, axis.highest], [35, 60])
})

test('axisFor a value above a fixed top extends the axis to show it', () => {
  assert.ok(axisFor({ unit: 'percent', top: 100, startsAtZero: true }, { lowest: 0, highest: 130 }).highest >= 130)
})

const MEBIBYTE = 1024 ** 2

type Given = Pick<ChartDrawing, 'unit' | 'top' | 'startsAtZero'>

const axes: readonly (readonly [
  what: string,
  drawing: Given,
  extent: readonly [lowest: number, highest: number] | undefined,
  steps: readonly number[],
  unit: string,
])[] = [
  ['spans one percent without values', { unit: 'percent', startsAtZero: true }, undefined, [0, 0.25, 0.5, 0.75, 1], '%'],
  ['spans at least 0.1 for a low load', { unit: 'load', startsAtZero: true }, [0, 0.03], [0, 0.025, 0.05, 3 * 0.025, 0.1], ''],
  ['spans at least 100 rpm for a stopped fan', { unit: 'rpm', startsAtZero: true }, [0, 0], [0, 25, 50, 75, 100], 'rpm'],
  ['spans at least one watt', { unit: 'watts', startsAtZero: true }, [0, 0.2], [0, 0.25, 0.5, 0.75, 1], 'W'],
  ['spans at least one millisecond', { unit: 'milliseconds', startsAtZero: true }, [0, 0], [0, 0.25, 0.5, 0.75, 1], 'ms'],
  ['spans at least one kilobyte', { unit: 'bytes', startsAtZero: true }, [0, 100], [0, 256, 512, 768, 1024], 'kB'],
  ['spans at least 1,000 bits', { unit: 'bitsPerSecond', startsAtZero: true }, [0, 1], [0, 250, 500, 750, 1000], 'kbit/s'],
  ['has steps of one', { unit: 'percent', startsAtZero: true }, [0, 3], [0, 1, 2, 3], '%'],
  ['has steps of two', { unit: 'percent', startsAtZero: true }, [0, 7], [0, 2, 4, 6, 8], '%'],
  ['has steps of two and a half', { unit: 'load', startsAtZero: true }, [0, 9], [0, 2.5, 5, 7.5, 10], ''],
  ['has steps of five', { unit: 'percent', startsAtZero: true }, [0, 17], [0, 5, 10, 15, 20], '%'],
  ['has steps of ten', { unit: 'percent', startsAtZero: true }, [0, 21], [0, 10, 20, 30], '%'],
  ['ends at a top that no value exceeds', { unit: 'percent', top: 100, startsAtZero: true }, [0, 100], [0, 25, 50, 75, 100], '%'],
  ['ends above a top that a value exceeds', { unit: 'percent', top: 100, startsAtZero: true }, [0, 130], [0, 50, 100, 150], '%'],
  [
    'adds a step for a top half a step above the last step',
    { unit: 'bytes', top: 5 * GIBIBYTE, startsAtZero: true },
    [0, 50],
    [0, 2 * GIBIBYTE, 4 * GIBIBYTE, 5 * GIBIBYTE],
    'GB',
  ],
  [
    'has steps in powers of two for bytes',
    { unit: 'bytes', startsAtZero: true },
    [0, 9 * GIBIBYTE],
    [0, 4 * GIBIBYTE, 8 * GIBIBYTE, 12 * GIBIBYTE],
    'GB',
  ],
  [
    'has steps of 2.5 for byte rates',
    { unit: 'bytesPerSecond', startsAtZero: true },
    [0, 10 * MEBIBYTE],
    [0, 2.5, 5, 7.5, 10].map((one) => one * MEBIBYTE),
    'MB/s',
  ],
  ['has decimal steps for bit rates', { unit: 'bitsPerSecond', startsAtZero: true }, [0, 7e6], [0, 2e6, 4e6, 6e6, 8e6], 'Mbit/s'],
  [
    'is symmetric for small values in both directions',
    { unit: 'bytesPerSecond', startsAtZero: true },
    [-10, 3],
    [-1024, -512, 0, 512, 1024],
    'kB/s',
  ],
  [
    'is symmetric for more down than up',
    { unit: 'bytesPerSecond', startsAtZero: true },
    [-3 * MEBIBYTE, MEBIBYTE],
    [-4, -2, 0, 2, 4].map((one) => one * MEBIBYTE),
    'MB/s',
  ],
  [
    'is symmetric for more up than down',
    { unit: 'bytesPerSecond', startsAtZero: true },
    [-1, 3 * MEBIBYTE],
    [-4, -2, 0, 2, 4].map((one) => one * MEBIBYTE),
    'MB/s',
  ],
  ['temperatures', { unit: 'celsius', startsAtZero: false }, [38.2, 57.4], [35, 40, 45, 50, 55, 60], '°C'],
  ['spans a constant temperature', { unit: 'celsius', startsAtZero: false }, [40, 40], [40, 42.5], '°C'],
  ['cold', { unit: 'celsius', startsAtZero: false }, [-21, -18], [-22.5, -20, -17.5], '°C'],
  ['spans a constant temperature in degrees Fahrenheit', { unit: 'fahrenheit', startsAtZero: false }, [70, 71], [70, 75], '°F'],
]

for (const [what, drawing, extent, steps, unit] of axes) {
  test(`axisFor ${what}`, () => {
    const axis = axisFor(drawing, extent && { lowest: extent[0], highest: extent[1] })
    const near = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(12)))
    assert.deepEqual(near(axis.steps), near(steps))
    assert.deepEqual([axis.lowest, axis.highest], [steps[0], steps.at(-1)])
    assert.equal(axis.scale.unit, unit)
  })
}

test('scaleFor selects the scale of the highest amount, and none for plain units', () => {
  assert.deepEqual(scaleFor('percent', 1e9), { unit: '%', divisor: 1 })
  assert.deepEqual(scaleFor('bytes', 3 * MEBIBYTE), { unit: 'MB', divisor: MEBIBYTE })
  assert.deepEqual(scaleFor('bytesPerSecond', 3 * MEBIBYTE), { unit: 'MB/s', divisor: MEBIBYTE })
  assert.deepEqual(scaleFor('bitsPerSecond', 3e6), { unit: 'Mbit/s', divisor: 1e6 })
})

test('formatOnAxis writes no sign for a direction, a sign for a value below zero, and one decimal for percentages', () => {
  const percent = { scale: { unit: '%', divisor: 1 } }
  assert.equal(formatOnAxis(-4.26, percent, english), '4.3 %')
  assert.equal(formatOnAxis(-4.26, percent, english, false), '-4.3 %')
  assert.equal(formatOnAxis(4.26, { scale: { unit: '', divisor: 1 } }, english), '4.26')
})

test('axisFor includes every value between its ends, with few steps', () => {
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
  ['°C', 1, -5, -3, '-5 – -3 °C'],
  ['°C', 1, 0, 3, '0–3 °C'],
] as const) {
  test(`formatSpreadOnAxis writes ${text} with one unit`, () =>
    assert.equal(formatSpreadOnAxis({ lowest, highest }, { scale: { unit, divisor } }, english), text))
}
