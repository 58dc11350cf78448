import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { answered, jsonBy, message, requestBy, toldBy, verdictBy } from '../../../../test/told-channel.ts'

const token = 'o.abcdefghijklmnopqrstuvwxyz012345'
const sent = { type: 'link', title: message.title, body: message.body, url: message.link }

for (const [target, expected] of [
  ['', { ...sent, guid: message.key }],
  ['/ujpah72o0', { ...sent, device_iden: 'ujpah72o0', guid: `${message.key}:ujpah72o0` }],
  ['/#news', { ...sent, channel_tag: 'news', guid: `${message.key}:#news` }],
  ['/a@example.com', { ...sent, email: 'a@example.com', guid: `${message.key}:a@example.com` }],
] as const)
  test(`pushbullet: sends to the target "${target}"`, () => {
    const request = requestBy(`pushbullet://${token}${target}`)
    assert.deepEqual([request.url, request.headers['access-token']], ['https://api.pushbullet.com/v2/pushes', token])
    assert.deepEqual(jsonBy(`pushbullet://${token}${target}`), expected)
  })

test('pushbullet: sends one push per target', () => assert.equal(toldBy(`pushbullet://${token}/a/b@example.com#c`).requests.length, 3))

test('pushbullet: the reason of a failure contains the service’s error message', () =>
  assert.deepEqual(
    verdictBy(
      `pushbullet://${token}`,
      answered(401, { error: { type: 'invalid_access_token', message: 'Access token is missing or invalid.' } }),
    ),
    {
      outcome: 'refused',
      reason: 'the server answered with status 401: Access token is missing or invalid.',
      reached: [],
    },
  ))

test('pushbullet refuses an address without a token', () => assert.throws(() => requestBy('pushbullet:///a'), AddressError))
