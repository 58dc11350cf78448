import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseColumnsQuery } from './history-query.ts'

const NOW_MS = 10_000_000

test('parseColumnsQuery without anything asks for the last hour of the system', () => {
  assert.deepEqual(parseColumnsQuery({}, NOW_MS), {
    ok: true,
    query: { window: { fromMs: NOW_MS - 3_600_000, toMs: NOW_MS }, points: 1000, kind: 'system' },
  })
})

test('parseColumnsQuery names every field that is wrong', () => {
  const result = parseColumnsQuery({ from: '1.5', to: 'now', points: '0', kind: 'weather' }, NOW_MS)
  assert.ok(!result.ok)
  assert.deepEqual(Object.keys(result.problems).toSorted(), ['from', 'kind', 'points', 'to'])
})

for (const given of [
  { from: '5', to: '5' },
  { from: '6', to: '5' },
]) {
  test(`parseColumnsQuery refuses the window ${given.from} to ${given.to}`, () => {
    const result = parseColumnsQuery(given, NOW_MS)
    assert.deepEqual(result, { ok: false, problems: { from: 'Must be before "to".' } })
  })
}
