import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNatsAddress } from './nats-address.ts'

const none = { kind: 'none' } as const

test('parseNatsAddress reads servers, encryption, login and files', () => {
  const cases = [
    ['nats://a', { servers: ['a:4222'], needsTls: false, login: none, tlsFiles: {} }],
    ['tls://a:1,b:2,tls://[::1]', { servers: ['a:1', 'b:2', '[::1]:4222'], needsTls: true, login: none, tlsFiles: {} }],
    [
      'nats://hub:p%40ss@a,b',
      { servers: ['a:4222', 'b:4222'], needsTls: false, login: { kind: 'password', user: 'hub', password: 'p@ss' }, tlsFiles: {} },
    ],
    ['nats://s3cret@a', { servers: ['a:4222'], needsTls: false, login: { kind: 'token', token: 's3cret' }, tlsFiles: {} }],
    ['tls://a,b?ca=/ca.pem', { servers: ['a:4222', 'b:4222'], needsTls: true, login: none, tlsFiles: { ca: '/ca.pem' } }],
    ['tls://a/?cert=/c.pem&key=/k.pem', { servers: ['a:4222'], needsTls: true, login: none, tlsFiles: { cert: '/c.pem', key: '/k.pem' } }],
  ] as const
  for (const [text, expected] of cases) assert.deepEqual(parseNatsAddress(text), expected, text)
})

test('parseNatsAddress refuses invalid text, and its error does not contain the text', () => {
  const texts = [
    '',
    'secret',
    'http://secret',
    'nats://',
    'nats://secret,',
    'nats://a/secret',
    'nats://a#secret',
    'nats://a?secret=1',
    'nats://a?ca=secret,nats://b',
    'nats://u:secret%@a',
    'nats://a?cert=/secret',
  ]
  for (const text of texts)
    assert.throws(
      () => parseNatsAddress(text),
      (error) => error instanceof RangeError && !error.message.includes('secret'),
      text,
    )
})

test('parseNatsAddress prefers a credentials file over a login in the URL', () => {
  assert.deepEqual(parseNatsAddress('nats://user:x@a', '/run/hub.creds').login, { kind: 'file', path: '/run/hub.creds' })
})
