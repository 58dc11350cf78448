import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChartDrawing } from './chart-drawing.ts'
import { withLineStyles } from './line-styles.ts'
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

test('withLineStyles fills one line, stacked lines, and one line each way', () => {
  assert.deepEqual(filled({ lines: [line('a')] }), [true])
  assert.deepEqual(filled({ lines: [line('a'), line('b')], isStacked: true }), [true, true])
  assert.deepEqual(filled({ lines: [line('sent'), line('received', '--series-3', true)] }), [true, true])
})

test('withLineStyles fills no lines that would overlap, nor what does not start at zero', () => {
  assert.deepEqual(filled({ lines: [line('1 minute'), line('5 minutes')] }), [false, false])
  assert.deepEqual(filled({ lines: [line('a')], startsAtZero: false }), [false])
})

const names = fc
  .array(fc.integer({ min: 1, max: 8 }), { maxLength: 8 * PATTERN_COUNT })
  .map((colours) => colours.map((colour, index) => line(`${index}`, `--series-${colour}`)))

test('withLineStyles: the first line is plain, and as many lines as there are patterns differ without their colours', () =>
  fc.assert(
    fc.property(names, (lines) => {
      const patterns = stylesOf({ lines }).map(({ pattern }) => pattern)
      assert.equal(patterns[0] ?? 0, 0)
      const first = patterns.slice(0, PATTERN_COUNT)
      assert.equal(new Set(first).size, first.length)
    }),
  ))

test('withLineStyles: lines of one colour have different patterns while there are enough', () =>
  fc.assert(
    fc.property(names, (lines) => {
      const styles = stylesOf({ lines })
      for (const colour of new Set(lines.map((one) => one.colour))) {
        const patterns = lines.flatMap((one, index) => (one.colour === colour ? [styles[index]?.pattern] : []))
        assert.equal(new Set(patterns).size, Math.min(patterns.length, PATTERN_COUNT))
      }
    }),
  ))
