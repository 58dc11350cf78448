import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldModel } from './collections.ts'
import { draftOf, patchOf } from './record-draft.ts'

const field = (name: string, type: string, most = 1): FieldModel => ({
  name,
  type,
  isHidden: false,
  isRequired: false,
  values: [],
  to: '',
  most,
})
const fields = [
  field('name', 'text'),
  field('port', 'number'),
  field('on', 'bool'),
  field('info', 'json'),
  field('users', 'relation', 9),
  field('system', 'relation'),
]
const record = { name: 'web', port: 45_876, on: true, info: { a: 1 }, users: ['u1'], system: 's1' }
const sent = (draft: object) => patchOf(fields, draftOf(fields, record), { ...draftOf(fields, record), ...draft })

test('what is not changed is not sent', () => assert.deepEqual(sent({}), { ok: true, values: {} }))

test('each field is sent as its type', () => {
  const draft = { name: '', port: '22', on: false, info: '[1]', users: ['u1', 'u2'], system: [] }
  assert.deepEqual(sent(draft), { ok: true, values: { name: '', port: 22, on: false, info: [1], users: ['u1', 'u2'], system: '' } })
  assert.deepEqual(sent({ info: ' ', port: '' }), { ok: true, values: { info: null, port: null } })
})

test('what cannot be sent is told at its field', () => {
  assert.deepEqual(sent({ port: 'x', info: '{', name: 'new' }), { ok: false, errors: { port: 'no number', info: 'no JSON' } })
})

test('a password is sent with itself once more, and nothing is sent of an empty one', () => {
  const password = [field('password', 'password')]
  const before = draftOf(password, {})
  assert.deepEqual(patchOf(password, before, { password: 'secret words' }), {
    ok: true,
    values: { password: 'secret words', passwordConfirm: 'secret words' },
  })
  assert.deepEqual(patchOf(password, before, before), { ok: true, values: {} })
})
