import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relyingPartyOf } from './relying-party.ts'

test('relyingPartyOf: with a public URL only pages of its origin can use passkeys, whatever the header Host says', () => {
  const appUrl = 'https://hub.example.com/monitoring'
  assert.deepEqual(relyingPartyOf({ origin: 'https://hub.example.com', host: '10.0.0.1:8090', appUrl }), {
    id: 'hub.example.com',
    origin: 'https://hub.example.com',
  })
  for (const origin of ['http://hub.example.com', 'https://hub.example.com:8443', 'https://example.com', 'https://a.hub.example.com'])
    assert.throws(() => relyingPartyOf({ origin, host: new URL(origin).host, appUrl }), /only at the address of this hub: https:\/\/hub/)
})
