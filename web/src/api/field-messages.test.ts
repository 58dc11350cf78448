import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { overwriteGetLocale } from '../words/runtime.js'
import { failureDetailOf, failureText, fieldMessagesOf, refusalWordsLoaded } from './field-messages.ts'
import { RequestFailed } from './request-failed.ts'

before(() => refusalWordsLoaded)
afterEach(() => overwriteGetLocale(() => 'en'))

const failed = (fieldErrors: Readonly<Record<string, object>>) => new RequestFailed('refused', 'Failed.', { status: 400, fieldErrors })

test('fieldMessagesOf leaves out nested forms, and other errors have no fields', () => {
  assert.deepEqual(fieldMessagesOf(failed({ name: { code: 'x', message: 'y' }, nested: { 0: { code: 'x', message: 'y' } } })), {
    name: 'y',
  })
  assert.deepEqual(fieldMessagesOf(new Error('x')), {})
})

test('failureDetailOf has the message of the request and those of its fields', () => {
  assert.equal(
    failureDetailOf(failed({ name: { code: 'validation_not_unique', message: 'Already taken' } })),
    'Failed. name: Already taken',
  )
  assert.equal(failureDetailOf(new Error('x')), 'x')
})

test('failureText has the language of the page', () => {
  const refused = new RequestFailed('refused', 'The alert is over.', { status: 400 })
  assert.equal(failureText(refused), 'The alert is over.')
  overwriteGetLocale(() => 'de')
  assert.equal(failureText(refused), 'Der Alarm ist vorbei.')
  assert.equal(
    failureDetailOf(failed({ name: { code: 'validation_required', message: 'Cannot be blank.' } })),
    'Failed. name: Darf nicht leer sein',
  )
})
