import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

for (const [address, url] of [
  ['gotify://push.example/AzyoeNS.D4iJLVa', 'https://push.example/message'],
  ['gotify://push.example:8443/a/b/AzyoeNS.D4iJLVa/?useheader=yes', 'https://push.example:8443/a/b/message'],
  ['gotify://127.0.0.1:80/message?token=AzyoeNS.D4iJLVa&disabletls=yes', 'http://127.0.0.1:80/message'],
  ['gotify://push.example/a/message?token=AzyoeNS.D4iJLVa&insecureskipverify=yes', 'https://push.example/a/message'],
] as const)
  test(`gotify: sends to the server of ${address}`, () => {
    const request = requestBy(address)
    assert.deepEqual([request.url, request.headers['x-gotify-key']], [url, 'AzyoeNS.D4iJLVa'])
    assert.equal(request.acceptsAnyCertificate, address.includes('insecureskipverify'))
  })

test('gotify: sends title, message, priority, link and extras', () =>
  assert.deepEqual(jsonBy('gotify://h/AzyoeNS.D4iJLVa?priority=7&extras={"a":{"b":1}}'), {
    title: message.title,
    message: `${message.body}\n\n${message.link}`,
    priority: 7,
    extras: { 'client::notification': { click: { url: message.link } }, 'client::display': { contentType: 'text/plain' }, a: { b: 1 } },
  }))

test('gotify: the reason of a failure contains the server’s error description', () =>
  assert.deepEqual(
    verdictBy(
      'gotify://h/AzyoeNS.D4iJLVa',
      answered(401, { error: 'Unauthorized', errorCode: 401, errorDescription: 'you need to provide a valid access token' }),
    ),
    {
      outcome: 'refused',
      reason: 'the server answered with status 401: you need to provide a valid access token',
      reached: [],
    },
  ))

for (const address of [
  'gotify://h',
  'gotify:///t',
  'gotify://h/t?priority=11',
  'gotify://h/t?priority=high',
  'gotify://h/t?extras=[1]',
  'gotify://h/t%0a',
])
  test(`gotify refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
