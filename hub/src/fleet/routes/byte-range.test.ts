import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { parseByteRange } from './byte-range.ts'

const size = fc.integer({ min: 0, max: 50 })

/** The part of a file of `bytes` bytes that a range means. */
function partOf(header: string, bytes: number): readonly number[] | string {
  const range = parseByteRange(header, bytes)
  const file = Array.from({ length: bytes }, (_, at) => at)
  return typeof range === 'string' ? range : file.slice(range.first, range.last + 1)
}

test('parseByteRange returns the bytes of the header, or "unsatisfiable"', () => {
  fc.assert(
    fc.property(size, size, size, (bytes, first, more) => {
      const file = Array.from({ length: bytes }, (_, at) => at)
      const orNone = (part: readonly number[]) => (part.length === 0 ? 'unsatisfiable' : part)
      assert.deepEqual(partOf(`bytes=${first}-${first + more}`, bytes), orNone(file.slice(first, first + more + 1)))
      assert.deepEqual(partOf(`bytes=${first}-`, bytes), orNone(file.slice(first)))
      assert.deepEqual(partOf(`bytes=-${more}`, bytes), orNone(more === 0 ? [] : file.slice(-more)))
      if (more > 0) assert.equal(partOf(`bytes=${first + more}-${first}`, bytes), 'whole', 'the last byte is before the first')
    }),
  )
})

for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'items=0-1', 'bytes=0-1-2', 'bytes = 0-1'])
  test(`parseByteRange returns the whole file for ${JSON.stringify(header)}`, () => assert.equal(parseByteRange(header, 10), 'whole'))
