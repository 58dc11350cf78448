import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborValue } from '../cbor/value.ts'
import { decodeBareReply } from './legacy-reply.ts'

const map = (...entries: readonly (readonly [number, CborValue])[]): CborValue => new Map(entries)
const stats = map([0, 12.5])

const cases: readonly (readonly [what: string, value: CborValue, expected: 'document' | 'identity', kind: string | undefined])[] = [
  ['a bare document', map([0, stats]), 'document', 'document'],
  ['an empty map says nothing, and is a document', map(), 'document', 'document'],
  ['measurements that are null', map([0, null]), 'document', 'document'],
  ['an envelope', map([0, 1], [1, map([0, stats])]), 'document', undefined],
  ['an error of an envelope', map([0, 1], [3, 'no data']), 'document', undefined],
  ['an identity where a document is due', map([0, 'fingerprint']), 'document', undefined],
  ['a bare identity', map([0, 'fingerprint']), 'identity', 'identity'],
  ['a document where an identity is due', map([0, stats]), 'identity', undefined],
  ['no map', 'text', 'document', undefined],
  ['no map where an identity is due', [], 'identity', undefined],
  ['a number where an identity is due', map([0, 1]), 'identity', undefined],
  ['nothing where an identity is due', map(), 'identity', undefined],
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
