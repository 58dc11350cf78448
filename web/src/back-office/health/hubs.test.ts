import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHubs } from './hubs.ts'

const load = { cpuPercent: 12, residentBytes: 1000, loopLateMs: 3 }
const sent = { id: 'i1', name: 'a', version: '1.2.3', systems: 4, silentMs: 1200, isDraining: false, isThis: true, load }

test('readHubs reads each hub with its state; a silent hub is gone', () => {
  const items = [sent, { ...sent, isDraining: true, isThis: false }, { ...sent, silentMs: 6000, isDraining: true, load: null }]
  const [first, second, third] = readHubs({ items })
  assert.deepEqual(first, { id: 'i1', name: 'a', version: '1.2.3', systems: 4, silentMs: 1200, state: 'running', isThis: true, load })
  assert.deepEqual([second?.state, second?.isThis], ['draining', false])
  assert.deepEqual([third?.state, third?.load], ['gone', undefined])
  const [wrong] = readHubs({ items: [{ ...sent, isDraining: true, isClockWrong: true }] })
  assert.equal(wrong?.state, 'clock-wrong')
})

test('readHubs omits invalid entries', () => {
  for (const answer of [undefined, {}, { items: [null, {}, { id: 1, name: 'a', silentMs: 1 }, { id: 'i', name: 'a' }] }])
    assert.deepEqual(readHubs(answer), [])
})
