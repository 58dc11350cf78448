import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inIpNetwork, ipAddress } from './ip-address.ts'

const one = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

for (const [text, expected] of [
  ['127.0.0.1', [127, 0, 0, 1]],
  ['::1', one],
  ['0:0:0:0:0:0:0:1', one],
  ['0::0:0001', one],
  ['::', one.map(() => 0)],
  ['FE80::A', [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]],
  ['1:2:3:4:5:6:7::', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
  ['64:ff9b::192.0.2.1', [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 1]],
  ['::ffff:192.0.2.1', [192, 0, 2, 1]],
  ['::ffff:c000:201', [192, 0, 2, 1]],
  ['1:2:3:4:5:6:7:8::', undefined],
  ['1:2:3:4:5:6:7', undefined],
  ['1:2:3:4:5:6:7:8:9', undefined],
  [':::', undefined],
  ['::1::', undefined],
  ['1:', undefined],
  [':1', undefined],
  ['::12345', undefined],
  ['::g', undefined],
  ['::1.2.3', undefined],
  ['1.2.3.4::', undefined],
  ['[::1]', undefined],
  ['1.2.3', undefined],
  ['1.2.3.256', undefined],
  ['hub', undefined],
  ['', undefined],
] as const) {
  test(`ipAddress of "${text}"`, () => assert.deepEqual(ipAddress(text), expected))
}

test('ipAddress reads all spellings of an address as equal', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(7), fc.nat(7), fc.nat(4), (numbers, from, length, width) => {
      const zeros = numbers.map((number, at) => (at >= from && at <= from + length ? 0 : number))
      const written = zeros.map((number) => number.toString(16).padStart(width, '0'))
      const short = `${written.slice(0, from).join(':')}::${written.slice(from + length + 1).join(':')}`
      assert.ok(ipAddress(short) !== undefined, short)
      assert.deepEqual(ipAddress(short), ipAddress(written.join(':').toUpperCase()))
    }),
  )
})

for (const [network, address, expected] of [
  ['10.0.0.0/8', '10.200.3.4', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['192.0.2.128/25', '192.0.2.127', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['10.0.0.0/8', '::ffff:10.1.1.1', true],
  ['fd00::/8', 'fdff::1', true],
  ['fd00::/8', 'fe00::1', false],
  ['2001:db8::/33', '2001:db8:7fff::1', true],
  ['2001:db8::/33', '2001:db8:8000::1', false],
  ['::1/128', '0:0:0:0:0:0:0:1', true],
  ['::/0', '127.0.0.1', false],
  ['::/129', '::1', false],
  ['::/', '::1', false],
  ['::/64/64', '::1', false],
  ['10.0.0.0/8', 'ten.example.org', false],
] as const) {
  test(`inIpNetwork: ${address} in ${network} is ${expected}`, () => assert.equal(inIpNetwork(network, address), expected))
}

test('ipAddress and inIpNetwork accept any text without throwing', () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(':', '::', '.', '/', '0', '255', 'ffff', '1')).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, text, (some, others) => {
      inIpNetwork(some, others)
      assert.ok([undefined, 4, 16].includes(ipAddress(some)?.length))
    }),
  )
})
