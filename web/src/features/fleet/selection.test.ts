import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onSelectionChange, select, selectedIds, toggleSelected } from './selection.ts'

test('toggleSelected selects and deselects, and notifies subscribers of each change until they unsubscribe', () => {
  let told = 0
  const leave = onSelectionChange(() => told++)
  toggleSelected('a')
  toggleSelected('b')
  toggleSelected('a')
  assert.deepEqual([...selectedIds()], ['b'])
  select([])
  assert.equal(selectedIds().size, 0)
  leave()
  select(['c'])
  assert.equal(told, 4)
  select([])
})
