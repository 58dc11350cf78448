import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nodeUtf8 } from '../../test/node-utf8.ts'
import { fromHex } from '../../test/recorded.ts'
import { decodeCbor, type CborError } from './decode.ts'
import { encodeCbor } from './encode.ts'
import type { CborValue } from './value.ts'

// RFC 8949 appendix A: forms that the encoder never writes.
const examples: readonly (readonly [string, CborValue])[] = [
  ['f90000', 0],
  ['f93c00', 1],
  ['f93e00', 1.5],
  ['f97bff', 65504],
  ['f90001', 5.960464477539063e-8],
  ['f9c400', -4],
  ['f97c00', Number.POSITIVE_INFINITY],
  ['f97e00', Number.NaN],
  ['f9fc00', Number.NEGATIVE_INFINITY],
  ['fa47c35000', 100_000],
  ['fa7f7fffff', 3.4028234663852886e38],
  ['f98000', -0],
  ['f903ff', 1023 * 2 ** -24],
  ['f90400', 2 ** -14],
  ['f98401', -(2 ** -14) * (1 + 1 / 1024)],
  ['17', 23],
  ['1818', 24],
  ['190100', 256],
  ['1a80000000', 0x8000_0000],
  ['1b001fffffffffffff', Number.MAX_SAFE_INTEGER],
  ['1b0020000000000000', 2n ** 53n],
  ['3a80000000', -0x8000_0001],
  ['3b001ffffffffffffe', -Number.MAX_SAFE_INTEGER],
  ['3b001fffffffffffff', -(2n ** 53n)],
  ['3bffffffffffffffff', -(2n ** 64n)],
  ['5fff', new Uint8Array(0)],
  ['7fff', ''],
  ['80', []],
  ['bfff', new Map()],
  ['e0', null],
  ['f3', null],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['fb3ff8000000000000', 1.5],
  ['f7', null],
  ['f0', null],
  ['f8ff', null],
  ['c074323031332d30332d32315432303a30343a30305a', '2013-03-21T20:04:00Z'],
  ['c11a514b67b0', 1_363_896_240],
  ['d9d9f78101', [1]],
  ['5f42010243030405ff', Uint8Array.of(1, 2, 3, 4, 5)],
  ['7f657374726561646d696e67ff', 'streaming'],
  ['9fff', []],
  ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
  [
    'bf61610161629f0203ffff',
    new Map<string, CborValue>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
  // A repeated key: the first counts. Keys that are neither integer nor text are dropped with their values.
  ['a200010002', new Map([[0, 1]])],
  ['a2f9400001410002', new Map([[2, 1]])],
  ['a1410005', new Map()],
]

for (const [hex, value] of examples) {
  test(`decodeCbor reads ${hex}`, () => {
    assert.deepEqual(decodeCbor(fromHex(hex), nodeUtf8), { ok: true, value, bytesRead: hex.length / 2 })
  })
}

const nested = (depth: number): string => '81'.repeat(depth) + '00'

const refused: readonly (readonly [string, CborError['reason'], string])[] = [
  ['', 'truncated', 'no bytes'],
  ['18', 'truncated', 'a missing argument'],
  ['62c3', 'truncated', 'a text cut short'],
  ['5bffffffffffffffff00', 'too large', 'a length no memory could hold'],
  ['5b00000000ffffffff00', 'truncated', 'a length beyond the bytes'],
  ['82 01', 'truncated', 'an array cut short'],
  ['ff', 'malformed', 'a break outside'],
  ['82 01 ff', 'malformed', 'a break in a definite array'],
  ['a1 00 ff', 'malformed', 'a break as a value'],
  ['1c', 'malformed', 'a reserved length'],
  ['fc', 'malformed', 'a reserved simple value'],
  ['5f 61 61 ff', 'malformed', 'a text chunk in a byte string'],
  ['7f 7f ff ff', 'malformed', 'an indefinite chunk in an indefinite text'],
  [nested(33), 'too deep', 'nesting beyond 32'],
  ['9a00020001', 'too large', 'more than 131072 elements announced'],
  ['ba00020001', 'too large', 'more than 131072 pairs announced'],
]

for (const [hex, reason, what] of refused) {
  test(`decodeCbor refuses ${what} as ${reason}`, () => {
    const result = decodeCbor(fromHex(hex.replaceAll(' ', '')), nodeUtf8)
    assert.equal(result.ok, false)
    assert.equal(result.ok ? undefined : result.error.reason, reason)
  })
}

for (const [hex, offset] of [
  ['', 0],
  ['ff', 0],
  ['8201', 2],
  ['82011c', 3],
  ['6461', 1],
  ['1900', 2],
  ['1a000000', 1],
  ['5f4101ff00', undefined],
  ['5f41016100', 4],
] as const) {
  test(`decodeCbor of ${hex || 'empty input'} stops at ${offset ?? 'its end'}`, () => {
    const result = decodeCbor(fromHex(hex), nodeUtf8)
    assert.equal(result.ok ? undefined : result.error.offset, offset)
  })
}

for (const [hex, reason] of [
  ['bf00', 'truncated'],
  ['a100', 'truncated'],
  ['a1ff', 'malformed'],
  ['a2000102ff', 'malformed'],
  ['bf00ff', 'malformed'],
  ['9f', 'truncated'],
  ['5f', 'truncated'],
  ['5f41', 'truncated'],
  ['7f6161', 'truncated'],
  ['c1', 'truncated'],
  ['c1ff', 'malformed'],
  ['dc00', 'malformed'],
  ['1d', 'malformed'],
  ['1e', 'malformed'],
  ['1f', 'malformed'],
  ['3f', 'malformed'],
  ['f8', 'truncated'],
  ['f93c', 'truncated'],
  ['fa0000', 'truncated'],
  ['fb00', 'truncated'],
  ['fd', 'malformed'],
  ['fe', 'malformed'],
] as const) {
  test(`decodeCbor refuses ${hex} as ${reason}`, () => {
    const result = decodeCbor(fromHex(hex), nodeUtf8)
    assert.equal(result.ok ? 'ok' : result.error.reason, reason)
  })
}

test('decodeCbor counts maps, tags and lists alike as nesting depth', () => {
  for (const open of ['a100', 'c1', '9f', 'bf00', '81']) {
    const reasonOf = (depth: number) => {
      const result = decodeCbor(fromHex(`${open.repeat(depth)}00${/^[9b]f/.test(open) ? 'ff'.repeat(depth) : ''}`), nodeUtf8)
      return result.ok ? 'ok' : result.error.reason
    }
    assert.deepEqual([reasonOf(32), reasonOf(33)], ['ok', 'too deep'], open)
  }
})

test('decodeCbor includes map keys in the nesting depth', () => {
  const reasonOf = (depth: number) => {
    const result = decodeCbor(fromHex('a1'.repeat(depth) + '00' + '00'.repeat(depth)), nodeUtf8)
    return result.ok ? 'ok' : result.error.reason
  }
  assert.deepEqual([32, 33, 10_000].map(reasonOf), ['ok', 'too deep', 'too deep'])
})

/** Like Node's Buffer, whose `slice` shares the memory. */
class Sharing extends Uint8Array<ArrayBuffer> {
  override slice(from?: number, to?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(from, to)
  }
}

test("decodeCbor copies byte strings even if the input's class shares memory in slice()", () => {
  const bytes = new Sharing(new ArrayBuffer(5))
  bytes.set([0x44, 1, 2, 3, 4])
  const result = decodeCbor(bytes, nodeUtf8)
  bytes.fill(9)
  assert.deepEqual(result, { ok: true, value: Uint8Array.of(1, 2, 3, 4), bytesRead: 5 })
})

test('decodeCbor accepts the maximum number of elements and pairs, and no more', () => {
  const most = 131_072
  const lengthOf = (hex: string) => {
    const result = decodeCbor(fromHex(hex), nodeUtf8)
    if (!result.ok) return result.error.reason
    return Array.isArray(result.value) ? result.value.length : 'a map'
  }
  assert.equal(lengthOf(`9a00020000${'00'.repeat(most)}`), most)
  assert.equal(lengthOf(`9f${'00'.repeat(most)}ff`), most)
  assert.equal(lengthOf(`ba00020000${'0000'.repeat(most)}`), 'a map')
  assert.equal(lengthOf(`bf${'0000'.repeat(most)}ff`), 'a map')
  assert.equal(lengthOf(`bf${'0000'.repeat(most + 1)}ff`), 'too large')
})

test('decodeCbor copies byte strings, so that later changes of the buffer do not affect them', () => {
  const bytes = fromHex('4401020304')
  const result = decodeCbor(bytes, nodeUtf8)
  bytes.fill(9)
  assert.deepEqual(result, { ok: true, value: Uint8Array.of(1, 2, 3, 4), bytesRead: 5 })
})

test('decodeCbor reads a nesting depth of exactly 32', () => {
  assert.equal(decodeCbor(fromHex(nested(32)), nodeUtf8).ok, true)
})

test('decodeCbor stops reading an endless array at its limit', () => {
  const result = decodeCbor(fromHex(`9f${'00'.repeat(131_073)}ff`), nodeUtf8)
  assert.deepEqual(result.ok ? undefined : result.error.reason, 'too large')
})

test('decodeCbor ignores bytes after the item', () => {
  assert.deepEqual(decodeCbor(fromHex('0102'), nodeUtf8), { ok: true, value: 1, bytesRead: 1 })
})

test('decodeCbor reads a view into a larger buffer', () => {
  assert.deepEqual(decodeCbor(fromHex('ff1903e8ff').subarray(1, 4), nodeUtf8), { ok: true, value: 1000, bytesRead: 3 })
})

test('decodeCbor replaces an invalid byte in a text', () => {
  assert.deepEqual(decodeCbor(fromHex('6261ff'), nodeUtf8), { ok: true, value: 'a\ufffd', bytesRead: 3 })
})

test('decodeCbor never throws on random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const result = decodeCbor(bytes, nodeUtf8)
      assert.ok(result.ok ? result.bytesRead <= bytes.length : result.error.offset <= bytes.length)
    }),
    { numRuns: 2000 },
  )
})

test('decodeCbor reports every proper prefix of an item as truncated', () => {
  const value: CborValue = new Map<number, CborValue>([
    [0, [1, 2.5, 'text', Uint8Array.of(1, 2)]],
    [1, new Map([['a', 1n << 60n]])],
  ])
  const bytes = encodeCbor(value, nodeUtf8)
  for (let length = 0; length < bytes.length; length++) {
    const result = decodeCbor(bytes.subarray(0, length), nodeUtf8)
    assert.equal(result.ok ? 'ok' : result.error.reason, 'truncated')
  }
})
