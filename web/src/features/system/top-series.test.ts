import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../../protocol/test/hostile-names.ts'
import { OTHERS_KEY, topSeries } from './top-series.ts'

const line = (key: string, values: readonly (number | null)[]) => ({ key, label: key, colour: '--series-1', values })
const drawing = {
  isStacked: true,
  lines: [line('c', [1, 1]), line('a', [9, null]), line('unknown', [null, null]), line('b', [2, 3])],
}
const others = (count: number) => `${count} others`
const keysOf = ({ lines }: { readonly lines: readonly { readonly key: string }[] }) => lines.map(({ key }) => key)

test('topSeries of a stack keeps the highest series in order, and sums the others; an unknown sum stays unknown', () => {
  const top = topSeries(drawing, 2, others)
  assert.equal(top.undrawnCount, 0)
  assert.deepEqual(keysOf(top.drawing), ['a', 'b', OTHERS_KEY])
  assert.equal(top.drawing.lines.at(-1)?.label, '2 others')
  assert.deepEqual(top.drawing.lines.at(-1)?.values, [1, 1])
  assert.deepEqual(topSeries(drawing, 3, others).drawing.lines.at(-1)?.values, [null, null])
})

test('topSeries of values that cannot be summed omits the other series and counts them', () => {
  const top = topSeries({ ...drawing, isStacked: false }, 1, others)
  assert.deepEqual(keysOf(top.drawing), ['a'])
  assert.equal(top.undrawnCount, 3)
})

for (const count of [undefined, 4, 5]) {
  test(`topSeries of 4 series returns the same drawing when ${count ?? 'all'} are selected`, () => {
    assert.deepEqual(topSeries(drawing, count, others), { drawing, undrawnCount: 0 })
    assert.equal(topSeries(drawing, count, others).drawing, drawing)
  })
}

const TIMES = 3
const values = fc.array(fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null }), { minLength: TIMES, maxLength: TIMES })
const lines = fc.uniqueArray(fc.tuple(fc.oneof(fc.string(), inheritedName), values), { selector: ([key]) => key, maxLength: 40 })

test('topSeries preserves the total of a stack at each time, selects the highest series, and draws each series once', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom(5, 10, 20), fc.boolean(), (all, count, isStacked) => {
      const whole = { isStacked, lines: all.map(([key, column]) => line(key, column)) }
      const { drawing: top, undrawnCount } = topSeries(whole, count, others)
      const named = top.lines.filter(({ key }) => key !== OTHERS_KEY)
      assert.equal(named.length, Math.min(count, all.length))
      assert.equal(new Set(keysOf(top)).size, top.lines.length)
      assert.equal(undrawnCount, isStacked ? 0 : all.length - named.length)
      for (let at = 0; at < TIMES && isStacked; at++) {
        const heightOf = (drawn: readonly { readonly values: readonly (number | null)[] }[]) =>
          drawn.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)
        assert.equal(heightOf(top.lines), heightOf(whole.lines))
      }
    }),
  )
})
