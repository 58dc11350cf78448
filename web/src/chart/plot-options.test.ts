import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChartDrawing } from './chart-drawing.ts'
import { layoutOf } from './drawing-layout.ts'
import { plotOptions } from './plot-options.ts'

const formats = { locale: 'en', temperature: 'celsius', network: 'bytes', disk: 'bytes' } as const

const line = (key: string, below = false) => ({ key, label: key, colour: '--series-1', values: [1, 2], ...(below ? { below } : {}) })

const filled = (drawing: Pick<ChartDrawing, 'lines'> & Partial<ChartDrawing>): readonly boolean[] => {
  const whole: ChartDrawing = { unit: 'percent', times: [1, 2], isStacked: false, startsAtZero: true, ...drawing }
  const state = { drawing: whole, axis: layoutOf(whole).axis, window: { fromMs: 0, toMs: 3 }, detail: 'time', formats } as const
  const nothing = () => {}
  const events = { onClear: nothing, onMove: nothing, onSelect: nothing, onReset: nothing, onPan: nothing }
  return plotOptions(100, whole.lines, () => state, events).series.flatMap((series, index) =>
    index === 0 ? [] : [series.fill !== undefined],
  )
}

test('plotOptions fills one line, stacked lines, and one line each way', () => {
  assert.deepEqual(filled({ lines: [line('a')] }), [true])
  assert.deepEqual(filled({ lines: [line('a'), line('b')], isStacked: true }), [true, true])
  assert.deepEqual(filled({ lines: [line('sent'), line('received', true)] }), [true, true])
})

test('plotOptions fills no lines that would overlap, nor what does not start at zero', () => {
  assert.deepEqual(filled({ lines: [line('1 minute'), line('5 minutes')] }), [false, false])
  assert.deepEqual(filled({ lines: [line('a')], startsAtZero: false }), [false])
})
