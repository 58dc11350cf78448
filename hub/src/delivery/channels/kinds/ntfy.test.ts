import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

test('ntfy: publishes to the topic', () =>
  assert.deepEqual(requestBy('ntfy://ntfy.sh/alerts', { message: { title: 'Ubuntu', systemName: 'ü' } }), {
    url: 'https://ntfy.sh/alerts',
    method: 'POST',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: 'Ubuntu',
      'x-sequence-id': message.key,
      click: 'https://hub.example/system/abc',
      actions: String.raw`[{"action":"view","label":"View \u00fc","url":"https://hub.example/system/abc"}]`,
    },
    body: message.body,
    acceptsAnyCertificate: false,
  }))

for (const [address, url, expected] of [
  [
    'ntfy://user:p%40ss@push.example:8080/t?scheme=http&priority=5&tags=warning,fire',
    'http://push.example:8080/t',
    { authorization: 'Basic dXNlcjpwQHNz', priority: '5', tags: 'warning,fire' },
  ],
  [
    'ntfy:///t?token=tk_AgQd&disableTLS=yes&Delay=5m&cache=no&firebase=no',
    'http://ntfy.sh/t',
    { authorization: 'Bearer tk_AgQd', delay: '5m', cache: 'no', firebase: 'no' },
  ],
  [
    'ntfy://h/t?title=x&icon=https://a.example/ü.png',
    'https://h/t',
    { title: message.title, icon: '=?UTF-8?B?aHR0cHM6Ly9hLmV4YW1wbGUvw7wucG5n?=' },
  ],
] as const)
  test(`ntfy: applies the options of ${address}`, () => {
    const request = requestBy(address)
    assert.equal(request.url, url)
    assert.deepEqual({ ...request.headers, ...expected }, request.headers)
  })

test('ntfy: a non-ASCII title is sent as encoded words of at most 75 characters', () => {
  const title = '🔴 Größe '.repeat(20).trim()
  const written = requestBy('ntfy://h/t', { message: { title } }).headers['title'] ?? ''
  const words = written.split(' ')
  assert.ok(words.length > 1 && words.every((word) => word.length <= 75))
  assert.equal(words.map((word) => Buffer.from(word.slice('=?UTF-8?B?'.length, -2), 'base64').toString('utf8')).join(''), title)
})

test('ntfy: a text over 4096 bytes is cut', () => {
  const { body } = requestBy('ntfy://h/t', { message: { body: 'ä'.repeat(5000) } })
  assert.ok(Buffer.byteLength(String(body)) <= 4096 && String(body).endsWith('ä…'))
})

for (const [status, body, outcome] of [
  [200, { id: 'x' }, 'delivered'],
  [403, { code: 40301, http: 403, error: 'forbidden' }, 'refused'],
  [429, { code: 42901, http: 429, error: 'limit reached: too many requests' }, 'later'],
  [507, { error: 'insufficient storage' }, 'later'],
] as const)
  test(`ntfy: status ${status} is ${outcome}`, () => assert.equal(verdictBy('ntfy://h/t', answered(status, body)).outcome, outcome))

for (const address of ['ntfy://ntfy.sh', 'ntfy://ntfy.sh/a/b', 'ntfy://h/t?priority=9', 'ntfy://h/t?scheme=ftp'])
  test(`ntfy refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
