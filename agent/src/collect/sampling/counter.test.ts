import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perSecond } from './counter.ts'

const at = (value: number, takenAtMs: number) => ({ value, takenAtMs })

for (const [name, previous, current, expected] of [
  ['units divided by the elapsed time', at(100, 0), at(700, 60_000), 10],
  ['no change', at(100, 0), at(100, 1000), 0],
  ['exactly the minimum interval', at(0, 0), at(5, 40), 125],
  ['no earlier reading', undefined, at(100, 1000), undefined],
  ['less than the minimum interval', at(0, 0), at(100, 39), undefined],
  ['no elapsed time', at(0, 50), at(100, 50), undefined],
  ['a clock that went back', at(0, 5000), at(100, 0), undefined],
  ['a counter that restarted', at(100, 0), at(99, 1000), undefined],
] as const) {
  test(`perSecond: ${name}`, () => assert.equal(perSecond(previous, current), expected))
}
