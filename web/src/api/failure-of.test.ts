import assert from 'node:assert/strict'
import { ClientResponseError } from 'pocketbase'
import { afterEach, test } from 'node:test'
import { overwriteGetLocale } from '../words/runtime.js'
import { failureOf } from './failure-of.ts'

afterEach(() => overwriteGetLocale(() => 'en'))

const refused = (message: string, data: object) =>
  failureOf(new ClientResponseError({ url: '/api/x', status: 400, response: { status: 400, message, data } }))

test('an English page shows the message of the hub', async () => {
  const failure = await refused('The alert is over.', { name: { code: 'validation_unknown', message: 'Is odd.' } })
  assert.equal(failure.message, 'The alert is over.')
  assert.deepEqual(failure.fieldErrors, { name: { code: 'validation_unknown', message: 'Is odd.' } })
})

test('a German page shows its translation, also for fields of nested forms', async () => {
  overwriteGetLocale(() => 'de')
  const failure = await refused('The alert is over.', {
    name: { code: 'validation_required', message: 'Cannot be blank.' },
    smtp: { host: { code: 'validation_required', message: 'Cannot be blank.' } },
  })
  assert.equal(failure.message, 'Der Alarm ist vorbei.')
  const blank = { code: 'validation_required', message: 'Darf nicht leer sein' }
  assert.deepEqual(failure.fieldErrors, { name: blank, smtp: { host: blank } })
})

test('a text without a translation stays English', async () => {
  overwriteGetLocale(() => 'de')
  assert.equal((await refused('Something new.', {})).message, 'Something new.')
})
