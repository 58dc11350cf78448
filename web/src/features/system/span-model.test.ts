import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultRange, ranges } from '../../api/ranges.ts'
import type { ChartSpan } from '../../api/stats.ts'
import { changeSearch, readSearch } from '../../navigation/search.ts'
import { spanFields, spanOf, valuesOf, type SpanValues, zoomedWindow } from './span-model.ts'

const spans = fc.oneof(
  fc.constantFrom(...ranges).map((range) => ({ kind: 'range', range }) as const),
  fc
    .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 10_000, max: 1e10 }))
    .map(([fromMs, length]) => ({ kind: 'window', window: { fromMs, toMs: fromMs + length } }) as const),
)

const withSpan = (search: string, span: ChartSpan): string => changeSearch<SpanValues>(spanFields, search, valuesOf(span))
const spanAt = (search: string): ChartSpan => spanOf(readSearch<SpanValues>(spanFields, search), defaultRange)

test('spanOf reads the span that valuesOf wrote, over any earlier address', () => {
  fc.assert(fc.property(spans, spans, (earlier, span) => assert.deepEqual(spanAt(withSpan(withSpan('live=1', earlier), span)), span)))
})

for (const address of ['', 'range=2h', 'from=10&to=5', 'from=x&to=y', 'from=1000&to=1001']) {
  test(`§4 time range: spanOf "${address}" is the default of 1h`, () => {
    const span = spanAt(address)
    assert.equal(span.kind === 'range' && span.range.id, '1h')
  })
}

test('valuesOf a window keeps the range from which it was opened', () => {
  const [, , day] = ranges
  assert.ok(day)
  const zoomed = withSpan(withSpan('', { kind: 'range', range: day }), { kind: 'window', window: { fromMs: 0, toMs: 60_000 } })
  assert.equal(new URLSearchParams(zoomed).get('range'), '24h')
})

for (const [what, window, expected] of [
  ['of the past', { fromMs: 0, toMs: 60_000 }, { fromMs: 0, toMs: 60_000 }],
  ['that ends in the future', { fromMs: 30_000, toMs: 200_000 }, { fromMs: 30_000, toMs: 100_000 }],
  ['that starts in the future', { fromMs: 150_000, toMs: 200_000 }, undefined],
  ['that is too short', { fromMs: 0, toMs: 9_999 }, undefined],
  ['that starts before the epoch', { fromMs: -1, toMs: 60_000 }, undefined],
] as const) {
  test(`zoomedWindow of one ${what}`, () => assert.deepEqual(zoomedWindow(window, 100_000), expected))
}
