import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inheritedName } from '../../../protocol/test/hostile-names.ts'
import { interned } from './utf8.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const plain = (bytes: Uint8Array, from: number, to: number): string => decoder.decode(bytes.subarray(from, to))

test('interned reads what a plain reader reads, however often and in whatever order', () => {
  const read = interned(plain)
  const texts = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constantFrom('', 'web-1', 'web-2', 'running'), inheritedName)
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 20 }), (said) => {
      const bytes = encoder.encode(said.join(''))
      let from = 0
      for (const text of said) {
        const to = from + encoder.encode(text).length
        assert.equal(read(bytes, from, to), plain(bytes, from, to))
        from = to
      }
    }),
  )
})

test('interned asks for a short text of ASCII once, and for any other each time', () => {
  const asked: string[] = []
  const read = interned((bytes, from, to) => {
    const text = plain(bytes, from, to)
    asked.push(text)
    return text
  })
  const [short, foreign, long] = ['web-1', 'wéb', 'x'.repeat(65)]
  for (const text of [short, foreign, long, short, foreign, long]) {
    const bytes = encoder.encode(text)
    assert.equal(read(bytes, 0, bytes.length), text)
  }
  assert.deepEqual(asked, [short, foreign, long, foreign, long])
})
