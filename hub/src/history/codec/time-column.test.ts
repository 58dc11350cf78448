import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteReader, ByteWriter, readNumberRuns, writeNumberRuns } from '../../platform/byte-codec.ts'
import { readTimes, writeTimes } from './time-column.ts'

function written(write: (writer: ByteWriter) => void): readonly number[] {
  const writer = new ByteWriter()
  write(writer)
  return [...writer.take()]
}

/** Stored format. It never changes, since old blocks must stay readable. */
for (const [times, bytes] of [
  [[], [0]],
  [[60], [1, 120]],
  [
    [60, 120, 180, 241],
    [4, 120, 120, 0, 2],
  ],
  [
    [0, 60, 120],
    [3, 0, 120, 120],
  ],
] as const) {
  test(`writeTimes: ${times.join() || 'none'} is stored as the bytes ${bytes.join()}`, () => {
    assert.deepEqual(
      written((writer) => writeTimes(writer, times)),
      bytes,
    )
    assert.deepEqual(readTimes(new ByteReader(Uint8Array.from(bytes))), times)
  })
}

test('readTimes refuses times that do not ascend, and more times than a block may have', () => {
  const wrong = { name: 'DamagedBytesError', message: 'its times do not ascend' }
  assert.throws(() => readTimes(new ByteReader(Uint8Array.of(2, 120, 0))), wrong)
  assert.throws(() => readTimes(new ByteReader(Uint8Array.of(2, 120, 1))), wrong)
  const zeros = new Uint8Array(1_000_010)
  zeros.set(written((writer) => writer.integer(1_000_001)))
  assert.throws(() => readTimes(new ByteReader(zeros)), { name: 'DamagedBytesError', message: 'it says 1000001 times' })
})

for (const [numbers, bytes] of [
  [[], [0]],
  [[0], [1, 0, 0]],
  [[5], [1, 5, 0]],
  [
    [0, 1, 2],
    [1, 0, 2],
  ],
  [
    [3, 4, 7, 9, 10],
    [3, 3, 1, 2, 0, 1, 1],
  ],
] as const) {
  test(`writeNumberRuns: ${numbers.join() || 'none'} is stored as the bytes ${bytes.join()}`, () => {
    assert.deepEqual(
      written((writer) => writeNumberRuns(writer, numbers)),
      bytes,
    )
    assert.deepEqual(readNumberRuns(new ByteReader(Uint8Array.from(bytes)), numbers.length), numbers)
  })
}

test('readNumberRuns refuses more numbers than the maximum over all runs', () => {
  const message = 'it says more than 4 numbers'
  assert.throws(() => readNumberRuns(new ByteReader(Uint8Array.of(3, 3, 1, 2, 0, 1, 1)), 4), { name: 'DamagedBytesError', message })
  assert.throws(() => readNumberRuns(new ByteReader(Uint8Array.of(1, 0, 4)), 4), { message })
  assert.deepEqual(readNumberRuns(new ByteReader(Uint8Array.of(1, 0, 3)), 4), [0, 1, 2, 3])
})
