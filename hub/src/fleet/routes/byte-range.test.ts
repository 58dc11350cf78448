import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseByteRange, type ByteRange } from './byte-range.ts'

const rows: readonly (readonly [header: string | undefined, range: ByteRange])[] = [
  [undefined, 'whole'],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=90-', { first: 90, last: 99 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=99-99', { first: 99, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-0', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=0x1-2', 'whole'],
]

for (const [header, range] of rows) {
  test(`parseByteRange: of 100 bytes "${header}" is ${JSON.stringify(range)}`, () => assert.deepEqual(parseByteRange(header, 100), range))
}

test('parseByteRange: an empty file has no parts', () => {
  assert.equal(parseByteRange('bytes=0-', 0), 'unsatisfiable')
  assert.equal(parseByteRange('bytes=-5', 0), 'unsatisfiable')
})
