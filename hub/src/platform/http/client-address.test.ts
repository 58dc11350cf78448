import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientAddress, trustedProxies } from './client-address.ts'

const proxies = trustedProxies(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

const rows: readonly (readonly [why: string, peer: string, headers: { readonly [name: string]: string }, expected: string])[] = [
  ['nobody is believed who is not trusted', '192.0.2.1', { 'x-forwarded-for': '198.51.100.7' }, '192.0.2.1'],
  ['a trusted proxy is', '127.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['also when the connection maps IPv4 into IPv6', '::ffff:127.0.0.1', { 'x-forwarded-for': '198.51.100.7' }, '198.51.100.7'],
  ['what the client made up before it counts for nothing', '127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' }, '198.51.100.7'],
  ['a chain of trusted proxies is walked', '10.1.1.1', { 'x-forwarded-for': '9.9.9.9, 198.51.100.7, 10.2.2.2' }, '198.51.100.7'],
  ['a chain of nothing else is their first', '10.1.1.1', { 'x-forwarded-for': '10.3.3.3, 10.2.2.2' }, '10.3.3.3'],
  ['ports and brackets are taken off', '10.1.1.1', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
  ['and of IPv4', '10.1.1.1', { 'x-forwarded-for': '198.51.100.7:4711' }, '198.51.100.7'],
  ['without a list X-Real-IP counts', 'fd00::1', { 'x-real-ip': '198.51.100.7' }, '198.51.100.7'],
  ['or CF-Connecting-IP', '127.0.0.1', { 'cf-connecting-ip': '2001:db8::2' }, '2001:db8::2'],
  ['what is not an address leaves the peer', '127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
  ['so does nothing', '127.0.0.1', {}, '127.0.0.1'],
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
