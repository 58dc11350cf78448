import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBaselines } from './baselines.ts'

test('bug class 6: createBaselines keeps a separate last reading for each consumer', () => {
  const baselines = createBaselines<string>()
  baselines.keep(60_000, 'minute')
  baselines.keep(1000, 'second')
  assert.deepEqual([baselines.of(60_000), baselines.of(1000)], ['minute', 'second'])
})

test('createBaselines gives a new consumer the newest reading, so that its first response has rates', () => {
  const baselines = createBaselines<string>()
  assert.equal(baselines.of(1000), undefined)
  baselines.keep(60_000, 'minute')
  assert.equal(baselines.of(1000), 'minute')
})

test('bug class 22: createBaselines keeps at most eight consumers', () => {
  const baselines = createBaselines<number>()
  for (let consumer = 1; consumer <= 1000; consumer++) baselines.keep(consumer, consumer)
  for (let consumer = 993; consumer <= 1000; consumer++) assert.equal(baselines.of(consumer), consumer)
  assert.equal(baselines.of(992), 1000, 'a forgotten one starts from the newest')
})
