import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perSecond } from './counter.ts'

const at = (value: number, takenAtMs: number) => ({ value, takenAtMs })

for (const [name, previous, current, expected] of [
  ['units over the time that passed', at(100, 0), at(700, 60_000), 10],
  ['nothing happened', at(100, 0), at(100, 1000), 0],
  ['exactly the least time', at(0, 0), at(5, 40), 125],
  ['no earlier reading', undefined, at(100, 1000), undefined],
  ['too little time', at(0, 0), at(100, 39), undefined],
  ['no time', at(0, 50), at(100, 50), undefined],
  ['a clock that went back', at(0, 5000), at(100, 0), undefined],
  ['a counter that started again', at(100, 0), at(99, 1000), undefined],
] as const) {
  test(`perSecond: ${name}`, () => assert.equal(perSecond(previous, current), expected))
}
