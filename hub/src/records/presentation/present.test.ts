import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldPicker } from './present.ts'

const record = { id: 'a', name: 'web-one', info: { cpu: 1, nested: { deep: true } }, users: [{ id: 'u' }] }

for (const [fields, expected] of [
  ['.id', {}],
  ['*.id', {}],
  ['*.cpu,id', { id: 'a' }],
  ['info..cpu', { info: {} }],
  ['id.', { id: 'a' }],
  ['info.*', { info: record.info }],
  ['info.nested.*,id', { id: 'a', info: { nested: { deep: true } } }],
  ['*', record],
  ['*,users.id', record],
  ['name:excerpt(3,true)', { name: 'web...' }],
  ['name:excerpt(3,1)', { name: 'web...' }],
  ['name:excerpt(3,maybe)', { name: 'web' }],
  ['name:excerpt(3,)', { name: 'web' }],
  ['name:excerpt(3,false)', { name: 'web' }],
] as const)
  test(`fieldPicker: fields=${fields} gives ${JSON.stringify(expected)}`, () => assert.deepEqual(fieldPicker(fields)(record), expected))
