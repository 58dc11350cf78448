import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Collection, Field } from '../model/collection.ts'
import { systems } from '../collections/systems.ts'
import { sentValues } from './sent-values.ts'

const fields: readonly Field[] = [
  { name: 'name', kind: 'text' },
  { name: 'count', kind: 'number' },
  { name: 'users', kind: 'relation', to: 'users', many: true },
]
const collection: Collection = { ...systems, fields }

test('sentValues reads only values of the collection’s fields', () => {
  const body = Object.defineProperty({ name: 'a' }, 'other', {
    enumerable: true,
    get: () => assert.fail('the value of an unknown name was read'),
  })
  assert.deepEqual(sentValues(collection, body, {}, undefined), { name: 'a' })
})

test('sentValues applies shorter keys first, and keys of equal length in the order of the body', () => {
  const before = { count: 1, users: ['a', 'b'] }
  const body = { '+users-': 'b', 'users+': 'c', '+users': 'd', users: ['e', 'b'], 'count-': 3, 'count+': 10 }
  assert.deepEqual(sentValues(collection, body, before, undefined), { users: ['d', 'e', 'c'], count: 8 })
  assert.deepEqual(sentValues(collection, { 'users-': 'a', 'users+': 'a' }, before, undefined), { users: ['b', 'a'] })
  assert.deepEqual(sentValues(collection, { 'users+': 'a', 'users-': 'a' }, before, undefined), { users: ['b'] })
})

test('sentValues ignores names that are not fields', () => {
  const body = JSON.parse(
    '{"__proto__":1,"constructor":1,"toString":1,"+__proto__":1,"name++":"a","++name":"a","name-+":"a","na+me":"a","":1}',
  )
  assert.deepEqual(sentValues(collection, body, {}, undefined), {})
})
