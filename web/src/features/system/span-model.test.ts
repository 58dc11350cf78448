import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ranges } from '../../api/ranges.ts'
import { parseSpan, withSpan } from './span-model.ts'

const spans = fc.oneof(
  fc.constantFrom(...ranges).map((range) => ({ kind: 'range', range }) as const),
  fc
    .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 10_000, max: 1e10 }))
    .map(([fromMs, length]) => ({ kind: 'window', window: { fromMs, toMs: fromMs + length } }) as const),
)

test('parseSpan reads back what withSpan wrote, over any earlier address', () => {
  fc.assert(
    fc.property(spans, spans, (earlier, span) =>
      assert.deepEqual(parseSpan(withSpan(withSpan(new URLSearchParams(), earlier), span)), span),
    ),
  )
})

for (const address of ['', 'range=2h', 'from=10&to=5', 'from=x&to=y', 'from=1000&to=1001']) {
  test(`§4 time range: parseSpan of "${address}" is the default of 1h`, () => {
    const span = parseSpan(new URLSearchParams(address))
    assert.equal(span.kind === 'range' && span.range.id, '1h')
  })
}

test('withSpan keeps the range a window was opened from', () => {
  const [, , day] = ranges
  assert.ok(day)
  const zoomed = withSpan(withSpan(new URLSearchParams(), { kind: 'range', range: day }), {
    kind: 'window',
    window: { fromMs: 0, toMs: 60_000 },
  })
  assert.equal(zoomed.get('range'), '24h')
})
