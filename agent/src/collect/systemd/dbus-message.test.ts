import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { CborValue } from '@vedette/protocol/cbor/value'
import { anyName } from '../../../../protocol/test/hostile-names.ts'
import { fromHex } from '../../../../protocol/test/recorded.ts'
import { byteTools } from '../../runtime/node/byte-tools.ts'
import { DbusMalformed, DbusReader } from './dbus-read.ts'
import { parseSignature } from './dbus-signature.ts'
import { writeDbus, type DbusWritable } from './dbus-write.ts'
import { decodeMessage, encodeCall, MAX_MESSAGE_BYTES, messageLength } from './dbus-message.ts'

const { utf8, fromUtf8 } = byteTools

/** A type, a value as it is written, and the value that is read. */
type Sample = { readonly signature: string; readonly written: DbusWritable; readonly read: CborValue }
const basic = <T extends DbusWritable & CborValue>(signature: string, values: fc.Arbitrary<T>): fc.Arbitrary<Sample> =>
  values.map((value) => ({ signature, written: value, read: value }))
const wide = (signature: string, min: bigint, max: bigint) =>
  fc.bigInt(min, max).map((value) => ({ signature, written: value, read: Number.isSafeInteger(Number(value)) ? Number(value) : value }))

const { sample } = fc.letrec<{ sample: Sample; basic: Sample }>((tie) => ({
  basic: fc.oneof(
    basic('y', fc.integer({ min: 0, max: 255 })),
    basic('b', fc.boolean()),
    basic('n', fc.integer({ min: -0x8000, max: 0x7fff })),
    basic('q', fc.integer({ min: 0, max: 0xffff })),
    basic('i', fc.integer()),
    basic('u', fc.integer({ min: 0, max: 0xffff_ffff })),
    wide('x', -(2n ** 63n), 2n ** 63n - 1n),
    wide('t', 0n, 2n ** 64n - 1n),
    basic('d', fc.double({ noNaN: true })),
    basic('s', fc.string({ unit: 'grapheme' })),
    basic('g', fc.constantFrom('', 's', 'a{sv}')),
  ),
  sample: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    tie('basic'),
    tie('sample').map(({ signature, written, read }) => ({ signature: 'v', written: { signature, value: written }, read })),
    fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map((fields) => ({
      signature: `(${fields.map(({ signature }) => signature).join('')})`,
      written: fields.map(({ written }) => written),
      read: fields.map(({ read }) => read),
    })),
    fc.tuple(tie('sample'), fc.integer({ min: 0, max: 3 })).map(([{ signature, written, read }, count]) => ({
      signature: `a${signature}`,
      written: Array.from({ length: count }, () => written),
      read: signature === 'y' ? Uint8Array.from({ length: count }, () => Number(read)) : Array.from({ length: count }, () => read),
    })),
    fc.tuple(anyName, tie('sample')).map(([key, { signature, written, read }]) => ({
      signature: `a{s${signature}}`,
      written: [[key, written]],
      read: new Map([[key, read]]),
    })),
  ),
}))

test('DbusReader reads values of any type that writeDbus wrote', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), (samples) => {
      const signature = samples.map((one) => one.signature).join('')
      fc.pre(signature.length <= 255)
      const bytes = writeDbus(
        signature,
        samples.map(({ written }) => written),
        utf8,
      )
      const reader = new DbusReader({ bytes, littleEndian: true, text: fromUtf8 })
      assert.deepEqual(
        reader.values(signature),
        samples.map(({ read }) => read),
      )
      assert.equal(reader.position, bytes.length)
    }),
  )
})

test('decodeMessage throws only DbusMalformed for any bytes, and never hangs', () => {
  const call = encodeCall(
    {
      destination: 'a.b',
      path: '/c',
      interface: 'd.e',
      member: 'F',
      signature: 'sa{sv}',
      values: ['x', [['k', { signature: 'as', value: ['v'] }]]],
    },
    1,
    utf8,
  )
  const damaged = fc
    .array(fc.tuple(fc.nat(call.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => changes.reduce((bytes, [at, byte]) => bytes.with(at, byte), call))
  const cutShort = fc.nat(call.length - 1).map((length) => call.subarray(0, length))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged, cutShort), (bytes) => {
      try {
        messageLength(bytes)
        decodeMessage(bytes, fromUtf8)
      } catch (error) {
        assert.ok(error instanceof DbusMalformed, String(error))
      }
    }),
  )
})

test('decodeMessage reads messages of a real dbus-daemon', () => {
  const { hex } = JSON.parse(readFileSync(new URL('../../fixtures/dbus/dbus-daemon-1.14.10.json', import.meta.url), 'utf8')) as {
    readonly hex: string
  }
  let rest = fromHex(hex)
  const messages = []
  for (let length = messageLength(rest); length !== undefined; length = messageLength(rest)) {
    messages.push(decodeMessage(rest.subarray(0, length), fromUtf8))
    rest = rest.slice(length)
  }
  assert.deepEqual(
    messages.map(({ type, replySerial, member, errorName, values }) => [type, replySerial ?? member, errorName ?? values]),
    [
      ['return', 1, [':1.0']],
      ['signal', 'NameAcquired', [':1.0']],
      [
        'return',
        2,
        [
          new Map([
            ['Features', ['ActivatableServicesChanged', 'HeaderFiltering']],
            ['Interfaces', ['org.freedesktop.DBus.Monitoring', 'org.freedesktop.DBus.Debug.Stats']],
          ]),
        ],
      ],
      ['error', 3, 'org.freedesktop.DBus.Error.NameHasNoOwner'],
    ],
  )
})

test('decodeMessage reads both byte orders', () => {
  // Constructed: an empty reply to call 7 in big-endian byte order.
  const bytes = fromHex('420201010000000000000009000000080501750000000007')
  const { type, serial, replySerial, values } = decodeMessage(bytes, fromUtf8)
  assert.deepEqual([messageLength(bytes), type, serial, replySerial, values], [24, 'return', 9, 7, []])
})

test('bug class 24: messageLength refuses a length that would exhaust the memory', () => {
  const start = Uint8Array.from(encodeCall({ destination: 'a.b', path: '/c', interface: 'd.e', member: 'F' }, 1, utf8))
  new DataView(start.buffer).setUint32(4, MAX_MESSAGE_BYTES, true)
  assert.throws(() => messageLength(start), DbusMalformed)
  assert.throws(() => messageLength(Uint8Array.from({ length: 16 }, () => 1)), /no byte order/)
  assert.equal(messageLength(start.subarray(0, 15)), undefined)
})

test('DbusReader refuses deeply nested variants', () => {
  const nested = Uint8Array.from(Array.from({ length: 100 }, () => [1, 0x76, 0]).flat())
  assert.throws(() => new DbusReader({ bytes: nested, littleEndian: true, text: fromUtf8 }).values('v'), /too deeply/)
})

for (const [signature, count] of [
  ['', 0],
  ['ssssssouso', 10],
  ['a(ssssssouso)', 1],
  ['a{sv}as', 2],
  ['a{s(ia{yv})}', 1],
  ['()', undefined],
  ['(s', undefined],
  ['a', undefined],
  ['{sv}', undefined],
  ['a{vs}', undefined],
  ['a{s}', undefined],
  ['z', undefined],
  ['a'.repeat(100), undefined],
  ['y'.repeat(256), undefined],
] as const) {
  test(`parseSignature: "${signature.slice(0, 20)}" is ${count === undefined ? 'none' : `${count} types`}`, () => {
    assert.equal(parseSignature(signature)?.length, count)
  })
}

test('writeDbus refuses values of the wrong type', () => {
  for (const [signature, value] of [
    ['s', 1],
    ['u', 'x'],
    ['u', 1.5],
    ['b', 1],
    ['as', 'x'],
    ['(ss)', ['x']],
    ['v', 'x'],
    ['zz', 1],
  ] as const) {
    assert.throws(() => writeDbus(signature, [value], utf8), RangeError, signature)
  }
})
