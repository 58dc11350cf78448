import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { hashOf, parseAddress } from './address.ts'

test('an address reads as links have it', () => {
  assert.deepEqual(parseAddress(''), { path: '/', query: {} })
  assert.deepEqual(parseAddress('#/logs'), { path: '/logs', query: {} })
  assert.deepEqual(parseAddress('#/collections?collection=systems&filter=name%20%3D%20%22a%3Fb%22'), {
    path: '/collections',
    query: { collection: 'systems', filter: 'name = "a?b"' },
  })
})

test('an address that is written reads as it was, without what is empty', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z]{1,5}$/), inheritedName), fc.string({ unit: 'grapheme', minLength: 1 })),
      (query) => {
        assert.deepEqual(parseAddress(hashOf({ path: '/collections', query: { ...query, gone: '' } })), {
          path: '/collections',
          query: { ...query },
        })
      },
    ),
  )
})
