import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { overwriteGetLocale } from '../words/runtime.js'
import { failureDetailOf, fieldMessagesOf } from './field-messages.ts'
import { RequestFailed } from './request-failed.ts'

afterEach(() => overwriteGetLocale(() => 'en'))

const failed = (fieldErrors: Readonly<Record<string, object>>) => new RequestFailed('refused', 'Failed.', { status: 400, fieldErrors })
const textOf = (error: object) => fieldMessagesOf(failed({ field: error }))['field']

const kept = { code: 'validation_tag_kept', message: 'Kept.', params: { tag: 'rack=4', sources: ['agent', 'rule', 'later'] } }

for (const [error, english, german] of [
  [{ code: 'validation_required', message: 'Cannot be blank.' }, 'Cannot be blank', 'Darf nicht leer sein'],
  [{ code: 'validation_not_unique', message: 'Value must be unique.' }, 'Already taken', 'Schon vergeben'],
  [{ code: 'validation_max_text_constraint', message: 'Long.', params: { max: 64 } }, 'At most 64 characters', 'Höchstens 64 Zeichen'],
  [
    kept,
    'The tag "rack=4" stays, because it has other sources: agent, rule',
    'Der Tag "rack=4" bleibt, weil er weitere Quellen hat: Agent, Regel',
  ],
  [
    { code: 'validation_tag_grants', message: 'No.', params: { tag: 'prod' } },
    'The tag "prod" gives access to systems. Only admins can set it.',
    'Der Tag "prod" gibt Zugriff auf Systeme. Nur Admins können ihn setzen.',
  ],
  [
    { code: 'validation_invalid_filter', message: 'Unknown field "x".' },
    'Not a valid filter. Unknown field "x".',
    'Kein gültiger Filter. Unknown field "x".',
  ],
  [{ code: 'validation_later', message: 'Something new.' }, 'Something new.', 'Something new.'],
  [{ code: 'toString', message: 'An inherited name.' }, 'An inherited name.', 'An inherited name.'],
] as const) {
  test(`fieldMessagesOf has ${error.code} in both languages`, () => {
    assert.equal(textOf(error), english)
    overwriteGetLocale(() => 'de')
    assert.equal(textOf(error), german)
  })
}

test('fieldMessagesOf leaves out nested forms, and other errors have no fields', () => {
  assert.equal(textOf({ 0: { code: 'x', message: 'y' } }), undefined)
  assert.deepEqual(fieldMessagesOf(new Error('x')), {})
})

test('failureDetailOf has the message of the request and those of its fields', () => {
  assert.equal(failureDetailOf(failed({ name: { code: 'validation_not_unique' } })), 'Failed. name: Already taken')
  assert.equal(failureDetailOf(new Error('x')), 'x')
})
