import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborValue } from '../cbor/value.ts'
import { decodeBareReply } from './legacy-reply.ts'

const map = (...entries: readonly (readonly [number, CborValue])[]): CborValue => new Map(entries)
const stats = map([0, 12.5])

const cases: readonly (readonly [what: string, value: CborValue, expected: 'document' | 'identity', kind: string | undefined])[] = [
  ['a bare document', map([0, stats]), 'document', 'document'],
  ['an empty map, which is an empty document', map(), 'document', 'document'],
  ['null measurements', map([0, null]), 'document', 'document'],
  ['an envelope', map([0, 1], [1, map([0, stats])]), 'document', undefined],
  ['an envelope with an error', map([0, 1], [3, 'no data']), 'document', undefined],
  ['an identity instead of a document', map([0, 'fingerprint']), 'document', undefined],
  ['a bare identity', map([0, 'fingerprint']), 'identity', 'identity'],
  ['a document instead of an identity', map([0, stats]), 'identity', undefined],
  ['no map', 'text', 'document', undefined],
  ['no map instead of an identity', [], 'identity', undefined],
  ['a number instead of an identity', map([0, 1]), 'identity', undefined],
  ['an empty map instead of an identity', map(), 'identity', undefined],
]

for (const [what, value, expected, kind] of cases) {
  test(`decodeBareReply, ${expected} expected: ${what}`, () => assert.equal(decodeBareReply(value, expected)?.kind, kind))
}

test('decodeBareReply returns the document unchanged, and all fields of an identity', () => {
  const document = map([0, stats])
  assert.deepEqual(decodeBareReply(document, 'document'), { kind: 'document', document })
  assert.deepEqual(decodeBareReply(map([0, 'print'], [1, 'host'], [2, '45876']), 'identity'), {
    kind: 'identity',
    identity: { fingerprint: 'print', hostname: 'host', port: '45876' },
  })
})
