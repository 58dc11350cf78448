import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress, peerAddress, trustedProxies } from './client-address.ts'

const proxies = trustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

const rows: readonly (readonly [why: string, peer: string, headers: { readonly [name: string]: string }, expected: string])[] = [
  ['headers of an untrusted peer are ignored', '192.0.2.1', { 'x-forwarded-for': '198.51.100.7' }, '192.0.2.1'],
  ['the header of a trusted proxy is used', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['an IPv4-mapped address of a trusted proxy is recognised', '::ffff:127.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['forged entries before the last one are ignored', '127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' }, '198.51.100.7'],
  [
    'trusted proxies at the end of the list are skipped',
    '10.1.1.1',
    { 'x-forwarded-for': '9.9.9.9, 198.51.100.7, 10.2.2.2' },
    '198.51.100.7',
  ],
  ['the first entry is used if all entries are trusted proxies', '10.1.1.1', { 'x-forwarded-for': '10.3.3.3, 10.2.2.2' }, '10.3.3.3'],
  ['the port and the brackets of an IPv6 address are removed', '10.1.1.1', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
  ['the port of an IPv4 address is removed', '10.1.1.1', { 'x-forwarded-for': '198.51.100.7:4711' }, '198.51.100.7'],
  ['X-Real-IP is used without X-Forwarded-For', 'fd00::1', { 'x-real-ip': '198.51.100.7' }, '198.51.100.7'],
  ['CF-Connecting-IP is used without X-Forwarded-For', '127.0.0.1', { 'cf-connecting-ip': '2001:db8::2' }, '2001:db8::2'],
  ['the peer is used if the header is not an address', '127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
  ['the peer is used without headers', '127.0.0.1', {}, '127.0.0.1'],
]

for (const [why, peer, headers, expected] of rows) {
  test(`clientAddress: ${why}`, () => assert.equal(clientAddress(peer, headers, proxies), expected))
}

test('clientAddress: a client cannot forge its address through a proxy that appends to x-forwarded-for', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (sent, real) => {
      fc.pre(!proxies.includes(real))
      const headers = { 'x-forwarded-for': sent === '' ? real : `${sent}, ${real}` }
      assert.equal(clientAddress('127.0.0.1', headers, proxies), real)
    }),
  )
})

test('trustedProxies throws for text that is no network', () => {
  for (const wrong of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', 'fd00::/129']) {
    assert.throws(() => trustedProxies([wrong]), RangeError, wrong)
  }
})

test('peerAddress: only the peers of a Unix socket are "unix", not a closed TCP connection', () => {
  assert.equal(peerAddress(false)({}), '')
  assert.equal(peerAddress(false)({ remoteAddress: '192.0.2.1' }), '192.0.2.1')
  assert.equal(peerAddress(true)({}), 'unix')
})
