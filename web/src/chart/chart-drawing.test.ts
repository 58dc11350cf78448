import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inChosenUnits, withLineStyles, type ChartDrawing, type ChartUnit } from './chart-drawing.ts'
import { PATTERN_COUNT, plainStyle } from './patterns.ts'

const line = (key: string, colour = '--series-1', below = false) => ({
  key,
  label: key,
  colour,
  values: [1, 2],
  ...(below ? { below } : {}),
})

const stylesOf = (drawing: Pick<ChartDrawing, 'lines'> & Partial<ChartDrawing>) =>
  withLineStyles({ isStacked: false, startsAtZero: true, ...drawing }).lines.map(({ style = plainStyle }) => style)

const filled = (drawing: Parameters<typeof stylesOf>[0]) => stylesOf(drawing).map(({ isFilled }) => isFilled)

test('withLineStyles fills the area of a single line, of stacked lines, and of one line per direction', () => {
  assert.deepEqual(filled({ lines: [line('a')] }), [true])
  assert.deepEqual(filled({ lines: [line('a'), line('b')], isStacked: true }), [true, true])
  assert.deepEqual(filled({ lines: [line('sent'), line('received', '--series-3', true)] }), [true, true])
})

test('withLineStyles fills no area of lines that would overlap or do not start at zero', () => {
  assert.deepEqual(filled({ lines: [line('1 minute'), line('5 minutes')] }), [false, false])
  assert.deepEqual(filled({ lines: [line('a')], startsAtZero: false }), [false])
})

const names = fc
  .array(fc.integer({ min: 1, max: 8 }), { maxLength: 8 * PATTERN_COUNT })
  .map((colours) => colours.map((colour, index) => line(`${index}`, `--series-${colour}`)))

test('withLineStyles draws the first line solid, and gives each line its own pattern while patterns last', () =>
  fc.assert(
    fc.property(names, (lines) => {
      const patterns = stylesOf({ lines }).map(({ pattern }) => pattern)
      assert.equal(patterns[0] ?? 0, 0)
      const first = patterns.slice(0, PATTERN_COUNT)
      assert.equal(new Set(first).size, first.length)
    }),
  ))

test('withLineStyles gives lines of the same colour different patterns while patterns last', () =>
  fc.assert(
    fc.property(names, (lines) => {
      const styles = stylesOf({ lines })
      for (const colour of new Set(lines.map((one) => one.colour))) {
        const patterns = lines.flatMap((one, index) => (one.colour === colour ? [styles[index]?.pattern] : []))
        assert.equal(new Set(patterns).size, Math.min(patterns.length, PATTERN_COUNT))
      }
    }),
  ))

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

test('inChosenUnits returns a drawing unchanged if its unit is the chosen one or has no alternative', () => {
  for (const unit of ['celsius', 'bytesPerSecond', 'percent', 'bytes'] as const) {
    const given = drawing(unit, 'network')
    assert.equal(inChosenUnits(given, metric), given)
  }
})

test('inChosenUnits converts every number of a drawing: values, extremes and the headline', () => {
  const { unit, lines, headline } = inChosenUnits(drawing('celsius'), { ...metric, temperature: 'fahrenheit' })
  assert.deepEqual([unit, headline], ['fahrenheit', 50])
  assert.deepEqual(lines[0]?.values, [50, null])
  assert.deepEqual(lines[0]?.extremes, { minimum: [32, null], maximum: [68, null] })
})

test('inChosenUnits converts the fixed upper end of the axis', () => {
  const given = { ...drawing('celsius'), top: 100 }
  assert.equal(inChosenUnits(given, { ...metric, temperature: 'fahrenheit' }).top, 212)
  assert.equal(inChosenUnits({ ...given, top: undefined }, { ...metric, temperature: 'fahrenheit' }).top, undefined)
})

test('inChosenUnits distinguishes rates of the network from rates of a disk', () => {
  const chosen = { ...metric, network: 'bits' } as const
  assert.deepEqual(inChosenUnits(drawing('bytesPerSecond', 'network'), chosen).lines[0]?.values, [80, null])
  assert.equal(inChosenUnits(drawing('bytesPerSecond', 'disk'), chosen).unit, 'bytesPerSecond')
})

test('inChosenUnits keeps missing values, and shows a rate of neither network nor disk in bytes', () => {
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
