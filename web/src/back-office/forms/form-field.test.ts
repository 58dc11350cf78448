import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, typedOf, type FormField } from './form-field.ts'

const fields: readonly FormField[] = [
  { path: 'smtp.host', label: '', type: 'text' },
  { path: 'smtp.port', label: '', type: 'number' },
  { path: 'smtp.enabled', label: '', type: 'flag' },
  { path: 'smtp.password', label: '', type: 'secret' },
  { path: 'mostBytes', label: '', type: 'number' },
]
const stored = { smtp: { host: 'mail.example', port: 587, enabled: false, password: 'never shown' }, mostBytes: null }

test('typedOf returns the stored values, but no secrets', () => {
  const typed = { 'smtp.host': 'mail.example', 'smtp.port': '587', 'smtp.enabled': false, 'smtp.password': '', mostBytes: '' }
  assert.deepEqual(typedOf(fields, stored), typed)
})

test('changeOf contains only changed values, at their paths', () => {
  const before = typedOf(fields, stored)
  assert.deepEqual(changeOf(fields, before, before), {})
  const typed = { ...before, 'smtp.port': '25', 'smtp.enabled': true, 'smtp.password': 'new', mostBytes: '1000' }
  assert.deepEqual(changeOf(fields, before, typed), { smtp: { port: 25, enabled: true, password: 'new' }, mostBytes: 1000 })
  assert.deepEqual(changeOf(fields, before, { ...before, 'smtp.port': ' ' }), { smtp: { port: null } })
  assert.deepEqual(changeOf(fields, before, { ...before, 'smtp.port': 'x' }), { smtp: { port: 'x' } })
})
