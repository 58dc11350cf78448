import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordEvent } from '../events/event-bus.ts'
import { recordOrder } from './record-order.ts'

const event = (id: string, updated: string | number | undefined, more: Partial<RecordEvent> = {}): RecordEvent => ({
  action: 'update',
  collection: 'systems',
  record: { id, ...(updated !== undefined && { updated }) },
  ...more,
})
const sample = { system: 's', atMs: 1, points: { things: [], fields: [], values: [] } }

test('recordOrder.isDoubtful is true for an event older than the last event of its record', () => {
  const order = recordOrder()
  order.note(event('s', '2'))
  order.note(event('n', 20))
  const cases = [
    [event('s', '1'), true],
    [event('s', '2'), false],
    [event('s', '3'), false],
    [event('n', 19), true],
    [event('n', 20), false],
    [event('other', '1'), false],
    [event('s', '1', { collection: 'users' }), false],
    [event('s', undefined), false],
    [event('s', '1', { action: 'delete' }), false],
    [event('s', '1', { sample }), false],
  ] as const
  for (const [one, isDoubtful] of cases) assert.equal(order.isDoubtful(one), isDoubtful, JSON.stringify(one))
})

test('recordOrder.isDoubtful is true for every event of a deleted record', () => {
  const order = recordOrder()
  order.note(event('s', '1', { action: 'delete' }))
  assert.equal(order.isDoubtful(event('s', '9')), true)
  assert.equal(order.isNews('systems', 's', '1'), true)
})

test('recordOrder.isNews is false for published states, and the oldest records are dropped', () => {
  const order = recordOrder(2)
  order.note(event('a', '1'))
  order.note(event('b', '1'))
  order.note(event('a', '2'))
  order.note(event('ignored', '1', { sample }))
  assert.deepEqual(
    [order.isNews('systems', 'a', '2'), order.isNews('systems', 'a', '3'), order.isNews('systems', 'b', '1')],
    [false, true, false],
  )
  order.note(event('c', '1'))
  assert.deepEqual(
    [order.isNews('systems', 'a', '2'), order.isNews('systems', 'b', '1'), order.isNews('systems', 'c', '1')],
    [false, true, false],
  )
})
