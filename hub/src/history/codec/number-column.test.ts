import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteReader, ByteWriter } from '../../platform/byte-codec.ts'
import { skipColumn, readColumn, writeColumn } from './number-column.ts'
import { MOST_STEPS } from '../model/precision.ts'

const GIB = 2 ** 30
const MIB = 2 ** 20
const NONE = Number.NaN

function bytesOf(values: readonly number[], step: 0 | 1): Uint8Array {
  const writer = new ByteWriter()
  writeColumn(writer, Float64Array.from(values), step)
  return writer.take()
}

/** Stored format. It never changes, since old blocks must stay readable. */
const columns: readonly (readonly [what: string, values: readonly number[], step: 0 | 1, bytes: readonly number[]])[] = [
  ['an empty column', [], 0, [0]],
  ['a column without values', [NONE, NONE], 1, [0]],
  ['a constant', [7, 7, 7], 1, [1, 1, 0xf8, 0x0a]],
  ['a single number', [-0.01], 1, [1, 1, 1]],
  ['a column of whole zeros', [0, 0], 0, [1, 2, 0]],
  ['a column of zeros in hundredths', [0, 0], 1, [1, 1, 0]],
  ['differences', [1, 1.01, 1.03], 1, [2, 1, 1, 0xc8, 1, 2, 4]],
  ['differences with a common factor', [1, 2, 4, 3], 1, [2, 1, 100, 2, 2, 4, 1]],
  ['whole numbers', [5, 6, 8], 0, [2, 0, 1, 10, 2, 4]],
  ['a zero beside other numbers', [0, 3, 6], 0, [2, 0, 3, 0, 2, 2]],
  ['negative numbers with a positive factor', [-3, -6, -3], 0, [2, 0, 3, 1, 1, 2]],
  ['hundredths of gibibytes', [1.5 * GIB, 0.5 * GIB], 0, [2, 2, 50, 6, 3]],
  ['hundredths of mebibytes', [1.5 * MIB, 0.5 * MIB], 0, [2, 3, 50, 6, 3]],
  ['gaps at the end', [1, NONE, NONE], 1, [5, 1, 1, 1, 0xc8, 1]],
  ['gaps at the beginning', [NONE, NONE, 1], 1, [5, 2, 0, 2, 1, 0xc8, 1]],
  ['gaps between differences', [1, NONE, 2, 4], 1, [6, 2, 1, 1, 1, 100, 2, 2, 4]],
  ['a number too large to count', [MOST_STEPS + 2], 0, [3, 0, 0, 0, 0, 0, 0, 0xf0, 0x42].with(1, 0x20)],
]

for (const [what, values, step, bytes] of columns) {
  test(`writeColumn: ${what} is stored as the bytes ${bytes.join()}`, () => {
    const found = bytesOf(values, step)
    assert.deepEqual([...found], bytes)
    const reader = new ByteReader(Uint8Array.of(...found, 0xee))
    assert.deepEqual([...readColumn(reader, values.length)], values)
    assert.equal(reader.byte(), 0xee)
    const passing = new ByteReader(Uint8Array.of(...found, 0xee))
    skipColumn(passing, values.length)
    assert.equal(passing.byte(), 0xee)
  })
}

for (const values of [
  [MOST_STEPS, -MOST_STEPS],
  [MOST_STEPS + 2, -MOST_STEPS - 2, 0.5],
  [MOST_STEPS + 2, NONE, 3],
  [1e300, -1e300],
  Array.from({ length: 5000 }, (_, at) => (at * 7919) % 10_007),
  Array.from({ length: 4096 }, (_, at) => at % 2),
]) {
  test(`readColumn returns ${values.length} numbers such as ${values[0]} unchanged`, () => {
    const step = 0
    // No assertion on whole arrays: its diff takes minutes for thousands of numbers.
    const found = readColumn(new ByteReader(bytesOf(values, step)), values.length)
    assert.ok(found.length === values.length && values.every((value, at) => Object.is(found[at], value)))
    const passing = new ByteReader(bytesOf(values, step))
    skipColumn(passing, values.length)
    assert.equal(passing.left, 0)
  })
}

test('writeColumn: writing a column does not change a column written before', () => {
  const long = Array.from({ length: 100 }, (_, at) => at)
  assert.deepEqual([...readColumn(new ByteReader(bytesOf(long, 0)), 100)], long)
  assert.deepEqual([...readColumn(new ByteReader(bytesOf([3, 5], 0)), 2)], [3, 5])
  assert.deepEqual([...readColumn(new ByteReader(bytesOf(long, 0)), 100)], long)
})

for (const [what, bytes, length, message] of [
  ['of an unknown kind', [8], 1, 'a column is of unknown kind 8'],
  ['in unknown steps', [1, 4, 0], 1, 'a column is in unknown steps 4'],
  ['with a run that is longer than the column', [5, 1, 3, 1, 0], 2, 'a column is longer than its block'],
  ['with runs whose sum is longer than the column', [5, 2, 1, 2, 1, 0], 2, 'a column is longer than its block'],
  ['that is truncated', [2, 1, 1, 0], 2, 'it ends too early'],
  ['with more runs than bytes', [5, 9, 1], 2, 'it says 9 entries in 1 bytes'],
] as const) {
  test(`readColumn refuses a column ${what}`, () => {
    assert.throws(() => readColumn(new ByteReader(Uint8Array.from(bytes)), length), { name: 'DamagedBytesError', message })
  })
}

test('skipColumn refuses a column that is cut or of an unknown kind', () => {
  assert.throws(() => skipColumn(new ByteReader(Uint8Array.of(8)), 1), { message: 'a column is of unknown kind 8' })
  assert.throws(() => skipColumn(new ByteReader(Uint8Array.of(3, 0, 0)), 1), { message: 'it ends too early' })
  assert.throws(() => skipColumn(new ByteReader(Uint8Array.of(2, 1, 1, 0)), 2), { message: 'it ends too early' })
})

test('readColumn reads columns of all kinds', () => {
  assert.deepEqual([...readColumn(new ByteReader(Uint8Array.of(7, 0, ...new Uint8Array(8))), 1)], [0])
  assert.deepEqual([...readColumn(new ByteReader(Uint8Array.of(4)), 1)], [NONE])
})
