import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEvent } from './apply-event.ts'

const atlas = { id: 'a', name: 'atlas' }
const borealis = { id: 'b', name: 'borealis' }

test('§4 real-time: applyEvent replaces an updated record in place and leaves the others untouched', () => {
  const after = applyEvent([atlas, borealis], 'update', { id: 'a', name: 'atlas-2' })
  assert.deepEqual(after, [{ id: 'a', name: 'atlas-2' }, borealis])
  assert.equal(after[1], borealis)
})

for (const action of ['create', 'update']) {
  test(`§4 real-time: applyEvent appends a new record on ${action}`, () => {
    assert.deepEqual(applyEvent([atlas], action, borealis), [atlas, borealis])
  })
}

test('§4 real-time: applyEvent removes a deleted record', () => {
  assert.deepEqual(applyEvent([atlas, borealis], 'delete', atlas), [borealis])
})
