import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSystemEvents } from './system-events.ts'

test('readSystemEvents omits invalid events and keeps the others', () => {
  const good = { at: 5, kind: 'down', text: 'Nothing listens' }
  const items = [good, { at: '5', kind: 'up' }, { at: 6, kind: 'exploded' }, null, { at: 7, kind: 'up' }]
  assert.deepEqual(readSystemEvents({ items }), [good, { at: 7, kind: 'up', text: '' }])
  for (const answer of [undefined, null, [], { items: 'x' }]) assert.deepEqual(readSystemEvents(answer), [])
})
