import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChartUnit } from './chart-drawing.ts'
import { inChosenUnits } from './chosen-units.ts'

const metric = { temperature: 'celsius', network: 'bytes', disk: 'bytes' } as const

const drawing = (unit: ChartUnit, flow?: 'network' | 'disk') => ({
  unit,
  ...(flow === undefined ? {} : { flow }),
  times: [1, 2],
  lines: [{ key: 'a', label: 'a', colour: '--series-1', values: [10, null], extremes: { minimum: [0, null], maximum: [20, null] } }],
  isStacked: false,
  startsAtZero: true,
  headline: 10,
})

test('inChosenUnits leaves a drawing alone whose unit is the chosen one, or has no other', () => {
  for (const unit of ['celsius', 'bytesPerSecond', 'percent', 'bytes'] as const) {
    const given = drawing(unit, 'network')
    assert.equal(inChosenUnits(given, metric), given)
  }
})

test('inChosenUnits turns every number of a drawing: values, extremes and the headline', () => {
  const { unit, lines, headline } = inChosenUnits(drawing('celsius'), { ...metric, temperature: 'fahrenheit' })
  assert.deepEqual([unit, headline], ['fahrenheit', 50])
  assert.deepEqual(lines[0]?.values, [50, null])
  assert.deepEqual(lines[0]?.extremes, { minimum: [32, null], maximum: [68, null] })
})

test('inChosenUnits tells rates of the network from rates of a disk', () => {
  const chosen = { ...metric, network: 'bits' } as const
  assert.deepEqual(inChosenUnits(drawing('bytesPerSecond', 'network'), chosen).lines[0]?.values, [80, null])
  assert.equal(inChosenUnits(drawing('bytesPerSecond', 'disk'), chosen).unit, 'bytesPerSecond')
})

test('inChosenUnits: what is not there stays so, and a rate of neither network nor disk is in bytes', () => {
  const chosen = { ...metric, temperature: 'fahrenheit', network: 'bits', disk: 'bits' } as const
  const { headline, lines } = inChosenUnits(
    { ...drawing('celsius'), headline: undefined, lines: [{ key: 'a', label: 'a', colour: '', values: [0] }] },
    chosen,
  )
  assert.equal(headline, undefined)
  assert.deepEqual(lines, [{ key: 'a', label: 'a', colour: '', values: [32] }])
  assert.equal(inChosenUnits(drawing('bytesPerSecond'), chosen).unit, 'bytesPerSecond')
  assert.equal(inChosenUnits(drawing('bytesPerSecond', 'disk'), chosen).unit, 'bitsPerSecond')
  assert.equal(inChosenUnits(drawing('bytes', 'disk'), chosen).unit, 'bytes')
  assert.equal(inChosenUnits(drawing('percent', 'network'), chosen).unit, 'percent')
})
