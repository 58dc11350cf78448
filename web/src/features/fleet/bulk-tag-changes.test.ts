import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSystem } from '../../api/system-record.ts'
import { bulkChanges } from './bulk-tag-changes.ts'

const systems = [readSystem({ id: 'one', tags: ['db', 'old'] }), readSystem({ id: 'two', tags: ['old'] }), readSystem({ id: 'three' })]
const changes = (added: readonly string[], removed: readonly string[]) =>
  bulkChanges(systems, added, removed).map(({ system, change }) => [system.id, change])

test('bulkChanges adds to every system, and removes only where a system has the tag', () => {
  assert.deepEqual(changes(['env=prod'], ['db', 'other']), [
    ['one', { 'tags+': ['env=prod'], 'tags-': ['db'] }],
    ['two', { 'tags+': ['env=prod'] }],
    ['three', { 'tags+': ['env=prod'] }],
  ])
  assert.deepEqual(changes([], ['old']), [
    ['one', { 'tags-': ['old'] }],
    ['two', { 'tags-': ['old'] }],
  ])
  assert.deepEqual(changes([], []), [])
})
