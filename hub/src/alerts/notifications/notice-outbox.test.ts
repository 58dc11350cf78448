import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { splitByRateLimit, MOST_A_MINUTE } from './notice-outbox.ts'

for (const [due, recent, single, together, rest] of [
  [1, 0, 1, 0, 0],
  [10, 0, 10, 0, 0],
  [25, 0, 10, 15, 0],
  [5, 8, 2, 3, 0],
  [3, 10, 0, 3, 0],
  [3, 25, 0, 0, 3],
] as const)
  test(`splitByRateLimit: ${due} due after ${recent}`, () => {
    const result = splitByRateLimit(Array.from({ length: due }), recent, 1000)
    assert.deepEqual([result.single.length, result.together.length, result.rest.length, result.restDueMs], [single, together, rest, 61_000])
  })

test('splitByRateLimit drops no notice and sends at most eleven messages a minute', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }), (arrivals) => {
      let waiting = 0
      let recent = 0
      let messages = 0
      for (const arrived of arrivals) {
        const { single, together, rest } = splitByRateLimit(Array.from({ length: waiting + arrived }), recent, 0)
        assert.equal(single.length + together.length + rest.length, waiting + arrived)
        messages += single.length + (together.length > 0 ? 1 : 0)
        recent += single.length + together.length
        waiting = rest.length
      }
      assert.ok(messages <= MOST_A_MINUTE + 1)
    }),
  ))
