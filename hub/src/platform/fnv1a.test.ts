import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fnv1a } from './fnv1a.ts'

/** Test vectors of the algorithm’s authors, and one of a text beyond ASCII. */
const vectors: readonly (readonly [text: string, hash: number])[] = [
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
  ['é', 0x1e9de8c1],
]

for (const [text, hash] of vectors) test(`fnv1a of ${JSON.stringify(text)}`, () => assert.equal(fnv1a(text), hash))
