import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fnv1a } from './fnv1a.ts'

/** The test vectors of the algorithm's authors. */
const vectors: readonly (readonly [text: string, hash: number])[] = [
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
]

for (const [text, hash] of vectors)
  test(`fnv1a of ${JSON.stringify(text)}`, () => assert.equal(fnv1a(new TextEncoder().encode(text)), hash))

test('fnv1a reads only the bytes it is given', () => {
  const bytes = new TextEncoder().encode('xfoobary')
  assert.equal(fnv1a(bytes, 1, 7), 0xbf9cf968)
})
