import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { pushBrowser } from '../../../../test/push-browser.ts'
import { answered, message, requestBy, verdictBy } from '../../../../test/told-channel.ts'

const browser = pushBrowser()
const { decrypted } = browser
const publicKey = Buffer.from(browser.p256dh, 'base64url')
const authSecret = Buffer.from(browser.auth, 'base64url')
const address = `webpush://push.example/send/abc?token=x%2By&p256dh=${browser.p256dh}&auth=${browser.auth}`

test('webPush: only the browser can decrypt the message, and VAPID identifies the hub to the push service', () => {
  const { url, headers, body } = requestBy(address)
  assert.equal(url, 'https://push.example/send/abc?token=x%2By')
  assert.match(headers['authorization'] ?? '', /^vapid t=.+, k=.+$/)
  assert.partialDeepStrictEqual(headers, { 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' })
  assert.match(headers['topic'] ?? '', /^[\w-]{32}$/)
  assert.ok(body instanceof Uint8Array)
  const { key, title, link, severity, systemName } = message
  assert.deepEqual(decrypted(body), { key, title, link, severity, systemName, body: message.body })
})

test('webPush: a long text is cut so that the body has at most 4096 bytes', () => {
  for (const long of ['x'.repeat(9000), '\u0001'.repeat(9000), 'ä'.repeat(9000), '"'.repeat(9000)]) {
    const { body } = requestBy(address, { message: { body: long, title: long, systemName: long } })
    assert.ok(body instanceof Uint8Array && body.length <= 4096)
    assert.ok(decrypted(body))
  }
})

for (const [status, outcome] of [
  [201, 'delivered'],
  [410, 'refused'],
  [429, 'later'],
] as const)
  test(`webPush: status ${status} is ${outcome}`, () => assert.equal(verdictBy(address, answered(status)).outcome, outcome))

for (const bad of [
  'webpush://push.example/x?auth=AAAA',
  `webpush://push.example/x?p256dh=${publicKey.toString('base64url')}&auth=AAAA`,
  address.replace('/send/abc', ''),
  `webpush://h/x?p256dh=${Buffer.alloc(65, 4).toString('base64url')}&auth=${authSecret.toString('base64url')}`,
])
  test(`webPush refuses ${bad.slice(0, 40)}`, () => assert.throws(() => requestBy(bad), AddressError))
