import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpPeer } from '../../../test/http-peer.ts'
import { webPushKey, NOW_MS } from '../../../test/told-channel.ts'
import { testAddress } from './test-address.ts'

const tried = (address: string) => testAddress(address, { webPushKey, key: 'k1', nowMs: NOW_MS, mayAskInternal: true })

test('testAddress returns false when the server accepts the test notification', async () => {
  await using peer = await httpPeer()
  assert.equal(await tried(`ntfy://127.0.0.1:${peer.port}/topic?scheme=http`), false)
  assert.deepEqual([peer.received[0]?.url, peer.received[0]?.body], ['/topic', 'This is a test notification from Vedette.'])
})

for (const [address, reason] of [
  ['nonsense', 'locating service for URL "nonsense": unknown service: ""'],
  ['nope://example.com/x', 'locating service for URL "nope://example.com/x": unknown service: "nope"'],
  [
    'telegram://1:secret@telegram',
    'initializing service: Cannot read the address: "chats" is missing, expected telegram://TOKEN@telegram?chats=CHAT,@CHANNEL',
  ],
  [
    'generic://127.0.0.1:1/x?disabletls=yes',
    'sending message via service at "generic://127.0.0.1:1/x?disabletls=yes": failed to send notification to generic webhook: sending HTTP request: Post "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused',
  ],
] as const)
  test(`testAddress returns the reason for ${address}`, async () => assert.equal(await tried(address), reason))

test('testAddress returns the error message of the provider without the address’s secrets', async () => {
  await using peer = await httpPeer(() => ({ status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' }))
  assert.equal(
    await tried(`ntfy://user:password@127.0.0.1:${peer.port}/topic?scheme=http`),
    'sending message via service at "ntfy://***": failed to send notification to ntfy: the server answered with status 403: forbidden',
  )
})
