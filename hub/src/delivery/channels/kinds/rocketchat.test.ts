import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressError } from '../address.ts'
import { readChannel, sendToChannel } from '../channels.ts'
import { httpPeer } from '../../../../test/http-peer.ts'
import { answered, jsonBy, message, NOW_MS, requestBy, verdictBy, webPushKey } from '../../../../test/told-channel.ts'

for (const [address, url, more] of [
  ['rocketchat://chat.example/tokenA/tokenB', 'https://chat.example/hooks/tokenA/tokenB', {}],
  ['rocketchat://chat.example:8443/tokenA/tokenB/ops', 'https://chat.example:8443/hooks/tokenA/tokenB', { channel: '#ops' }],
  [
    'rocketchat://Watch@chat.example/tokenA/tokenB/@ann',
    'https://chat.example/hooks/tokenA/tokenB',
    { username: 'Watch', channel: '@ann' },
  ],
  ['rocketchat://chat.example/tokenA/tokenB/#ops', 'https://chat.example/hooks/tokenA/tokenB', { channel: '#ops' }],
  ['rocketchat://127.0.0.1:3000/tokenA/tokenB/%23ops?disabletls=yes', 'http://127.0.0.1:3000/hooks/tokenA/tokenB', { channel: '#ops' }],
] as const)
  test(`rocketchat: sends to the webhook of ${address}`, () => {
    assert.equal(requestBy(address).url, url)
    assert.deepEqual(jsonBy(address, { message: { title: 'A\n`b`', body: '@all ```\n*c*\r\nd' } }), {
      text: '```text\nA `\u2060b`\u2060\n\n@\u2060all `\u2060`\u2060`\u2060\n*c*\nd\n```\nhttps://hub.example/system/abc',
      ...more,
    })
  })

test('rocketchat: a message has at most 5,000 characters', () => {
  const { text } = jsonBy('rocketchat://h/a/b', { message: { title: '`'.repeat(900), body: '@'.repeat(90_000) } })
  assert.ok(String(text).length <= 5000)
})

test('rocketchat: a real server receives the message, and no error shows the token', async () => {
  await using peer = await httpPeer(({ url }) => ({ status: 404, body: JSON.stringify({ success: false, error: `no ${url}` }) }))
  const channel = readChannel(`rocketchat://127.0.0.1:${peer.port}/tokenA/tokenB?scheme=http`, webPushKey)
  const verdict = await sendToChannel(channel, message, { nowMs: NOW_MS, reached: [], mayAskInternal: true })
  assert.deepEqual(verdict, { outcome: 'refused', reason: 'the server answered with status 404: no /hooks/***', reached: [] })
  assert.match(JSON.parse(peer.received[0]?.body ?? '').text, /CPU above threshold on <db> & co\./)
})

for (const [status, body, outcome] of [
  [200, { success: true }, 'delivered'],
  [400, { success: false, error: 'invalid-channel' }, 'refused'],
  [401, { success: false, error: 'Unauthorized' }, 'refused'],
  [429, '', 'later'],
  [503, '', 'later'],
] as const)
  test(`rocketchat: status ${status} is ${outcome}`, () =>
    assert.equal(verdictBy('rocketchat://h/a/b', answered(status, body)).outcome, outcome))

for (const address of ['rocketchat://host', 'rocketchat://host/tokenA', 'rocketchat:///a/b', 'rocketchat://host/a/b?disabletls=perhaps'])
  test(`rocketchat refuses ${address}`, () => assert.throws(() => requestBy(address), AddressError))
