import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteReader, ByteWriter, DamagedBytesError } from './byte-codec.ts'

function written(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter()
  write(writer)
  return writer.take()
}

const tooEarly = { name: 'DamagedBytesError', message: 'it ends too early' }

for (const [value, bytes] of [
  [0, [0]],
  [127, [0x7f]],
  [128, [0x80, 1]],
  [300, [0xac, 2]],
  [16_383, [0xff, 0x7f]],
  [16_384, [0x80, 0x80, 1]],
  [0x7fff_ffff, [0xff, 0xff, 0xff, 0xff, 7]],
  [0x8000_0000, [0x80, 0x80, 0x80, 0x80, 8]],
  [0x8000_0001, [0x81, 0x80, 0x80, 0x80, 8]],
  [2 ** 49, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]],
  [2 ** 53, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]],
] as const) {
  test(`ByteWriter.integer: ${value} is stored as the bytes ${bytes.join()}`, () => {
    const found = written((writer) => writer.integer(value))
    assert.deepEqual([...found], bytes)
    const reader = new ByteReader(found)
    assert.equal(reader.integer(), value)
    assert.equal(reader.left, 0)
    for (let length = 0; length < bytes.length; length++) assert.throws(() => new ByteReader(found.subarray(0, length)).integer(), tooEarly)
  })
}

for (const [value, bytes] of [
  [0, [0]],
  [-1, [1]],
  [1, [2]],
  [-64, [0x7f]],
  [63, [0x7e]],
  [64, [0x80, 1]],
  [-65, [0x81, 1]],
  [-(2 ** 52), [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]],
] as const) {
  test(`ByteWriter.signed: ${value} is stored as the bytes ${bytes.join()}`, () => {
    const found = written((writer) => writer.signed(value))
    assert.deepEqual([...found], bytes)
    assert.equal(new ByteReader(found).signed(), value)
    const [sum] = summed(found, 1)
    assert.equal(sum, value)
  })
}

function summed(bytes: Uint8Array, count: number): Float64Array {
  const column = new Float64Array(count)
  new ByteReader(bytes).sums(column)
  return column
}

test('ByteReader.sums adds signed numbers of any length and stops after the last number', () => {
  const differences = [5, -3, 63, -64, 64, -65, 8191, -8192, 8192, -8193, 2 ** 40, -(2 ** 40), 0, 1]
  const bytes = written((writer) => {
    for (const one of differences) writer.signed(one)
    writer.byte(0xee)
  })
  let sum = 0
  const reader = new ByteReader(bytes)
  const column = new Float64Array(differences.length)
  reader.sums(column)
  assert.deepEqual(
    [...column],
    differences.map((one) => (sum += one)),
  )
  assert.deepEqual([reader.left, reader.byte()], [1, 0xee])
})

test('ByteReader.sums throws at the end of the bytes', () => {
  for (const cut of [[], [0x80], [2, 0x80], [0x80, 0x80]]) assert.throws(() => summed(Uint8Array.from(cut), 2), tooEarly)
  assert.deepEqual([...summed(Uint8Array.of(2, 0x80, 1), 2)], [1, 65])
})

test('ByteReader.integer throws DamagedBytesError for a number that is too long', () => {
  const endless = new ByteReader(new Uint8Array(100).fill(0xff))
  assert.throws(() => endless.integer(), { name: 'DamagedBytesError', message: 'a number in it is too large' })
  const nine = Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1)
  assert.throws(() => new ByteReader(nine).integer(), { name: 'DamagedBytesError', message: 'a number in it is too large' })
})

test('ByteReader.skipIntegers skips the given count of short and long integers', () => {
  const reader = new ByteReader(Uint8Array.of(1, 0x80, 0x80, 1, 0x7f, 9))
  reader.skipIntegers(3)
  assert.equal(reader.byte(), 9)
  reader.skipIntegers(0)
  assert.equal(reader.left, 0)
  assert.throws(() => reader.skipIntegers(1), tooEarly)
})

test('ByteWriter.double stores eight bytes in little-endian order', () => {
  const bytes = written((writer) => {
    writer.byte(7)
    writer.double(-1.5)
  })
  assert.deepEqual([...bytes], [7, 0, 0, 0, 0, 0, 0, 0xf8, 0xbf])
  const reader = new ByteReader(bytes, 1)
  assert.equal(reader.double(), -1.5)
  assert.throws(() => new ByteReader(bytes, 2).double(), tooEarly)
})

test('ByteReader.passes skips the given bytes only if they come next', () => {
  const reader = new ByteReader(Uint8Array.of(1, 2, 3, 4))
  assert.equal(reader.passes(Uint8Array.of(1, 3)), false)
  assert.equal(reader.at, 0)
  assert.equal(reader.passes(Uint8Array.of(1, 2)), true)
  assert.equal(reader.at, 2)
  assert.equal(reader.passes(Uint8Array.of(3, 4, 5)), false)
  assert.equal(reader.passes(new Uint8Array(0)), true)
  assert.equal(reader.byte(), 3)
  assert.deepEqual([...reader.since(1)], [2, 3])
})

test('ByteReader.bytes throws for more bytes than are left, and count for more entries than can follow', () => {
  const reader = new ByteReader(Uint8Array.of(1, 2, 3))
  assert.deepEqual([...reader.bytes(2)], [1, 2])
  assert.throws(() => reader.bytes(2), tooEarly)
  assert.equal(reader.left, 1)
  assert.equal(new ByteReader(Uint8Array.of(2, 0, 0, 0, 0)).count(2), 2)
  assert.throws(() => new ByteReader(Uint8Array.of(2, 0, 0, 0)).count(2), {
    name: 'DamagedBytesError',
    message: 'it says 2 entries in 3 bytes',
  })
  assert.ok(new DamagedBytesError('x') instanceof Error)
})

test('ByteWriter grows with its content and is empty after take', () => {
  const writer = new ByteWriter()
  for (let at = 0; at < 1025; at++) writer.byte(at % 251)
  const long = Uint8Array.from({ length: 5000 }, (_, at) => at % 241)
  writer.bytes(long)
  writer.byte(99)
  const taken = writer.take()
  assert.deepEqual(taken, Uint8Array.of(...Array.from({ length: 1025 }, (_, at) => at % 251), ...long, 99))
  assert.equal(writer.take().length, 0)
  writer.byte(1)
  assert.deepEqual([...writer.take()], [1])
  assert.equal(taken.length, 6026, 'what was taken stays')
})
