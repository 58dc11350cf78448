import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeriesFrame } from '../../../chart/series-frame.ts'
import { comparedDrawing, usualInterval, valuesAt } from './compared-drawing.ts'
import { metricColumn, metrics } from './metrics.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

const frameOf = (times: readonly number[], series: Readonly<Record<string, readonly (number | null)[]>>): SeriesFrame => ({
  fromMs: times[0] ?? 0,
  toMs: times.at(-1) ?? 0,
  times,
  series: new Map(Object.entries(series)),
})

test('metricColumn computes shares and sums, and is unknown if a part is unknown', () => {
  const frame = frameOf([1, 2, 3], {
    'memory.usedBytes': [1, null, 2],
    'memory.totalBytes': [4, 4, 0],
    'network.sentBytesPerSecond': [1, 2, null],
    'network.receivedBytesPerSecond': [0, 3, 4],
  })
  assert.deepEqual(metricColumn(metrics.memory, frame), [25, null, null])
  assert.deepEqual(metricColumn(metrics.network, frame), [1, 5, null])
  assert.deepEqual(metricColumn(metrics.cpu, frame), [null, null, null])
})

test('usualInterval is the median interval, with any gaps', () => {
  assert.equal(usualInterval([]), 0)
  assert.equal(usualInterval([5]), 0)
  assert.equal(usualInterval([0, 60, 121, 180, 9_000]), 60)
})

for (const [what, own, values, expected] of [
  ['the newest value that is recent enough', [3, 63, 118], [1, 2, 3], [null, 1, 3, 3, null]],
  ['no value after a gap', [3, 63], [1, 2], [null, 1, 2, null, null]],
  ['no values', [], [], [null, null, null, null, null]],
  ['a value from before the window', [-30], [7], [7, null, null, null, null]],
] as const)
  test(`valuesAt returns at each time ${what}`, () => {
    assert.deepEqual(valuesAt([0, 60, 120, 180, 240], { times: own, values }, 90), expected)
  })

test('comparedDrawing aligns systems with different poll times and another day to common times', () => {
  const window = { fromMs: 10 * DAY, toMs: 10 * DAY + 3 * MINUTE }
  const minutes = [0, 1, 2, 3].map((minute) => window.fromMs + minute * MINUTE)
  const web = frameOf(
    minutes.map((at) => at - 20_000),
    { 'cpu.busyPercent': [1, 2, 3, 4] },
  )
  const yesterday = frameOf(
    minutes.map((at) => at - DAY),
    { 'cpu.busyPercent': [5, null, 6, 7] },
  )
  const of = { label: 'web', colour: '--series-1' }
  const drawing = comparedDrawing(
    metrics.cpu,
    [
      { ...of, key: 'a', frame: web, parts: [{ fromMs: window.fromMs, shiftMs: 0 }] },
      { ...of, key: 'b', frame: yesterday, parts: [{ fromMs: window.fromMs, shiftMs: DAY }] },
    ],
    window,
  )
  assert.deepEqual(drawing.times, minutes)
  assert.deepEqual(
    drawing.lines.map(({ values }) => values),
    [
      [1, 2, 3, 4],
      [5, 5, 6, 7],
    ],
  )
  assert.deepEqual(
    drawing.lines.map(({ colour, style }) => [colour, style?.pattern]),
    [
      ['--series-1', 0],
      ['--series-1', 1],
    ],
  )
})

test('comparedDrawing draws each part of the window with its own time shift, and nothing for a skipped hour', () => {
  const window = { fromMs: 10 * DAY, toMs: 10 * DAY + 5 * MINUTE }
  const minutes = [0, 1, 2, 3, 4, 5]
  const frame = frameOf(
    minutes.map((minute) => 9 * DAY + minute * MINUTE),
    { 'cpu.busyPercent': minutes },
  )
  const parts = [
    { fromMs: window.fromMs, shiftMs: DAY },
    // The same 2 minutes again, as when the clocks are set back.
    { fromMs: window.fromMs + 2 * MINUTE, shiftMs: DAY + 2 * MINUTE },
    { fromMs: window.fromMs + 4 * MINUTE, shiftMs: undefined },
    { fromMs: window.fromMs + 5 * MINUTE, shiftMs: DAY },
  ]
  const { lines } = comparedDrawing(metrics.cpu, [{ key: 'a', label: 'web', colour: '--series-1', frame, parts }], window)
  assert.deepEqual(lines[0]?.values, [0, 1, 0, 1, null, 5])
})

test('comparedDrawing has no lines without systems, and at most one point per minute', () => {
  const { times, lines } = comparedDrawing(metrics.load, [], { fromMs: 0, toMs: 3_600_000 })
  assert.deepEqual([times.length, lines.length], [61, 0])
})
