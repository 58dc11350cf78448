import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldModel } from './collections.ts'
import { draftOf, patchOf } from './record-draft.ts'

const field = (name: string, type: string, most = 1): FieldModel => ({
  name,
  type,
  isDerived: false,
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

test('patchOf omits unchanged fields', () => assert.deepEqual(sent({}), { ok: true, values: {} }))

test('patchOf converts each field to its type', () => {
  const draft = { name: '', port: '22', on: false, info: '[1]', users: ['u1', 'u2'], system: [] }
  assert.deepEqual(sent(draft), { ok: true, values: { name: '', port: 22, on: false, info: [1], users: ['u1', 'u2'], system: '' } })
  assert.deepEqual(sent({ info: ' ', port: '' }), { ok: true, values: { info: null, port: null } })
})

test('patchOf reports an invalid value at its field', () => {
  assert.deepEqual(sent({ port: 'x', info: '{', name: 'new' }), { ok: false, errors: { port: 'no number', info: 'no JSON' } })
})

test('patchOf sends a password with its confirmation, and omits an empty password', () => {
  const password = [field('password', 'password')]
  const before = draftOf(password, {})
  assert.deepEqual(patchOf(password, before, { password: 'secret words' }), {
    ok: true,
    values: { password: 'secret words', passwordConfirm: 'secret words' },
  })
  assert.deepEqual(patchOf(password, before, before), { ok: true, values: {} })
})

test('patchOf sends a list of tags with the text that is still typed, and nothing without a change', () => {
  const labels = [field('tags', 'labels')]
  const before = draftOf(labels, { tags: ['db', 'web'] })
  const patch = (tags: readonly string[], typed: string) => patchOf(labels, before, { tags: { tags, typed } })
  assert.deepEqual(patch(['db', 'web'], ''), { ok: true, values: {} })
  assert.deepEqual(patch(['db'], ' env=prod, db'), { ok: true, values: { tags: ['db', 'env=prod'] } })
  assert.deepEqual(patch([], ''), { ok: true, values: { tags: [] } })
  assert.deepEqual(patch(['db'], 'a"b'), { ok: false, errors: { tags: 'no tag' } })
  assert.deepEqual(draftOf(labels, {}), { tags: { tags: [], typed: '' } })
})
