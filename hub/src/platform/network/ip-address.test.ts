import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { ipAddress, isLoopback, networkOf } from './ip-address.ts'

const spellings: readonly (readonly [text: string, address: string | undefined])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:8090', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:8090', '192.0.2.1'],
  ['2001:DB8::1', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:8090', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
  ['192.0.2.256', undefined],
  ['127.1', undefined],
  ['0x7f000001', undefined],
  ['localhost', undefined],
  ['', undefined],
  ['::ffff:192.0.2.1:80', undefined],
]

for (const [text, address] of spellings) test(`ipAddress reads ${JSON.stringify(text)}`, () => assert.equal(ipAddress(text), address))

test('ipAddress accepts every address that Node accepts, and returns one spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = ipAddress(text)
      assert.ok(address !== undefined && isIP(address) !== 0)
      assert.equal(ipAddress(address), address)
      assert.equal(ipAddress(`[${text}]`), address)
    }),
  )
})

test('ipAddress returns an address or undefined for any text', () => {
  fc.assert(fc.property(fc.string(), (text) => ipAddress(text) === undefined || isIP(ipAddress(text) ?? '') !== 0))
})

test('networkOf returns the /64 network of an IPv6 address, and one spelling of an IPv4 address', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(networkOf('::ffff:c000:201'), '192.0.2.1')
  assert.equal(networkOf('2001:db8:1:2:3::4'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8::4'), networkOf('2001:db8:0:0:ffff::'))
})

test('isLoopback is true for every spelling of a loopback address', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])
    assert.ok(isLoopback(address), address)
  for (const address of ['128.0.0.1', '::2', '::ffff:8000:1', '', '127.0.0.1.example.org']) assert.ok(!isLoopback(address), address)
})
