import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureDetailOf, fieldMessagesOf } from './field-messages.ts'
import { RequestFailed } from './request-failed.ts'

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
