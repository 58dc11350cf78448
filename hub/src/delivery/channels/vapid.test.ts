import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { applicationServerKey, vapidAuthorization, webPushKeyOf } from './vapid.ts'

const { derive } = secretBox(Buffer.alloc(32, 7))

test('webPushKeyOf returns the same key at each start, and another key on another hub', () => {
  const key = applicationServerKey(webPushKeyOf(derive, 'https://hub.example'))
  assert.equal(Buffer.from(key, 'base64url').length, 65)
  assert.equal(applicationServerKey(webPushKeyOf(derive, 'https://hub.example')), key)
  assert.notEqual(applicationServerKey(webPushKeyOf(secretBox(Buffer.alloc(32, 8)).derive, 'https://hub.example')), key)
})

test('webPushKeyOf skips derived bytes that are no private key of the curve', () => {
  const rounds = [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.alloc(32, 1)]
  const key = webPushKeyOf((purpose) => rounds[Number(purpose.split(' ').at(-1))] ?? Buffer.alloc(32, 2), 'https://hub.example')
  assert.deepEqual(key.privateKey, Buffer.alloc(32, 1))
})

test('vapidAuthorization: the token is signed by the key in the header, for one push service, for 12 hours', () => {
  const key = webPushKeyOf(derive, 'https://hub.example')
  const header = vapidAuthorization(key, new URL('https://push.example:8443/x'), 1_700_000_000_500)
  const [, claims = '', body = '', signature = '', publicKey = ''] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
  assert.deepEqual(JSON.parse(Buffer.from(claims, 'base64url').toString()), { typ: 'JWT', alg: 'ES256' })
  assert.deepEqual(JSON.parse(Buffer.from(body, 'base64url').toString()), {
    aud: 'https://push.example:8443',
    exp: 1_700_043_200,
    sub: 'https://hub.example',
  })
  assert.equal(publicKey, applicationServerKey(key))
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  assert.ok(verify('sha256', Buffer.from(`${claims}.${body}`), verifier, Buffer.from(signature, 'base64url')))
})
