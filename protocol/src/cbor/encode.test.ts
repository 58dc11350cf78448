import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyName } from '../../test/hostile-names.ts'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex, toHex } from '../../test/recorded.ts'
import { decodeCbor } from './decode.ts'
import { encodeCbor } from './encode.ts'
import type { CborValue } from './value.ts'

// RFC 8949 appendix A. The decoder's table tests the numbers that have a shorter float form there.
const examples: readonly (readonly [CborValue, string])[] = [
  [0, '00'],
  [1, '01'],
  [23, '17'],
  [24, '1818'],
  [100, '1864'],
  [1000, '1903e8'],
  [1_000_000, '1a000f4240'],
  [1_000_000_000_000, '1b000000e8d4a51000'],
  [255, '18ff'],
  [256, '190100'],
  [65_535, '19ffff'],
  [65_536, '1a00010000'],
  [2 ** 32 - 1, '1affffffff'],
  [2 ** 32, '1b0000000100000000'],
  [Number.MAX_SAFE_INTEGER, '1b001fffffffffffff'],
  [Number.MIN_SAFE_INTEGER, '3b001ffffffffffffe'],
  [-24, '37'],
  [-25, '3818'],
  [-256, '38ff'],
  [-257, '390100'],
  [-0, 'fb8000000000000000'],
  [2 ** 53, 'fb4340000000000000'],
  [Number.POSITIVE_INFINITY, 'fb7ff0000000000000'],
  [0n, '00'],
  [23n, '17'],
  [-1n, '20'],
  [9_007_199_254_740_991n, '1b001fffffffffffff'],
  [9_007_199_254_740_992n, '1b0020000000000000'],
  [-9_007_199_254_740_993n, '3b0020000000000000'],
  [
    new Map<number | string, CborValue>([
      [24, 'a'],
      [-1, null],
      ['k', [true]],
      [1.5, 0],
    ]),
    'a41818616120f6616b81f5fb3ff800000000000000',
  ],
  [18_446_744_073_709_551_615n, '1bffffffffffffffff'],
  [-18_446_744_073_709_551_616n, '3bffffffffffffffff'],
  [-1, '20'],
  [-10, '29'],
  [-100, '3863'],
  [-1000, '3903e7'],
  [1.1, 'fb3ff199999999999a'],
  [-4.1, 'fbc010666666666666'],
  [1e300, 'fb7e37e43c8800759c'],
  [false, 'f4'],
  [true, 'f5'],
  [null, 'f6'],
  [Uint8Array.of(1, 2, 3, 4), '4401020304'],
  ['', '60'],
  ['IETF', '6449455446'],
  ['ü', '62c3bc'],
  ['水', '63e6b0b4'],
  ['𐅑', '64f0908591'],
  [[], '80'],
  [[1, [2, 3], [4, 5]], '8301820203820405'],
  [new Map(), 'a0'],
  [
    new Map([
      [1, 2],
      [3, 4],
    ]),
    'a201020304',
  ],
]

for (const [value, hex] of examples) {
  test(`encodeCbor writes ${hex} as RFC 8949 does`, () => {
    assert.equal(toHex(encodeCbor(value, nodeUtf8)), hex)
  })
}

const scalars = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.bigInt({ min: 1n << 53n, max: (1n << 64n) - 1n }),
  fc.bigInt({ min: -(1n << 64n), max: -(1n << 53n) }),
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array(),
)

const { values } = fc.letrec<{ values: CborValue }>((tie) => ({
  values: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('values'), { maxLength: 6 }),
    fc
      .array(fc.tuple(fc.oneof(fc.maxSafeInteger(), anyName), tie('values')), { maxLength: 6 })
      .map((entries): CborValue => new Map(entries)),
  ),
}))

test('encodeCbor and decodeCbor round-trip any value', () => {
  fc.assert(
    fc.property(values, (value) => {
      const bytes = encodeCbor(value, nodeUtf8)
      assert.deepEqual(decodeCbor(bytes, nodeUtf8), { ok: true, value, bytesRead: bytes.length })
    }),
  )
})

test('encodeCbor writes whole numbers of any size as integers', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (whole) => assert.ok((encodeCbor(whole, nodeUtf8)[0] ?? 0xff) >> 5 <= 1)))
})

test('encodeCbor replaces lone surrogates, so that texts are valid UTF-8', () => {
  assert.equal(toHex(encodeCbor('\ud800', nodeUtf8)), '63efbfbd')
})

test('encodeCbor refuses integers beyond 64 bits', () => {
  for (const integer of [1n << 64n, -(1n << 64n) - 1n])
    assert.throws(() => encodeCbor(integer, nodeUtf8), {
      name: 'RangeError',
      message: `Cannot encode "${integer}": CBOR integers have 64 bits`,
    })
})

test('encodeCbor grows its buffer past the first kilobyte', () => {
  const long = 'a'.repeat(5000)
  assert.deepEqual(decodeCbor(encodeCbor([long, fromHex('00'.repeat(3000)), 1.5], nodeUtf8), nodeUtf8), {
    ok: true,
    value: [long, new Uint8Array(3000), 1.5],
    bytesRead: 5000 + 3000 + 3 + 3 + 1 + 9,
  })
})

test('encodeCbor grows its buffer at any position in the data', () => {
  const entries = Array.from({ length: 23 }, (_, key): readonly [number, CborValue] => [key, key % 3 === 0 ? key * 1000.5 : [key, null]])
  for (let length = 900; length < 1030; length++) {
    const value = new Map<number, CborValue>([[23, 'x'.repeat(length)], ...entries])
    const decoded = decodeCbor(encodeCbor(value, nodeUtf8), nodeUtf8)
    assert.deepEqual(decoded.ok ? decoded.value : undefined, value)
  }
})
