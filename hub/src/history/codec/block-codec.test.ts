import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { numberedBy } from '../../../test/numbered-by.ts'
import { decodeBlock, encodeBlock } from './block-codec.ts'
import { DamagedBytesError } from './byte-reader.ts'
import { finestStep, rounded } from '../model/precision.ts'
import { rolledUp } from '../model/roll-up.ts'
import { joined, type Stretch } from '../model/stretch.ts'

const keys = ['cpu.busyPercent', 'disk.usedBytes', 'fan.a.rpm', 'memory.totalBytes', 'temperature.a.celsius', 'web-1.cpuPercent']
const numbers = numberedBy(keys)

const value = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: 0, max: 2 ** 45 }),
  fc.integer({ min: 0, max: 5000 }).map((hundredths) => (hundredths / 100) * 1024 ** 3),
  fc.constant(Number.NaN),
  fc.constant(12.5),
)

/** A value whose hundredths can be counted, for series that are kept in hundredths. */
const withinCount = (key: string, one: number): number => (finestStep(key) === 0 ? one : one % 2 ** 41)

const stretch = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 80 }).chain((gaps) => {
  let time = Date.UTC(2026, 0, 10)
  const times = gaps.map((gap) => (time += gap))
  const column = (key: string) =>
    fc.array(value, { minLength: times.length, maxLength: times.length }).map((values) => ({
      key,
      average: Float64Array.from(values, (one) => (Number.isNaN(one) ? one : rounded(finestStep(key), withinCount(key, one)))),
    }))
  return fc
    .subarray(keys)
    .chain((some) => fc.tuple(...some.map(column)))
    .map((series): Stretch => ({ times, series }))
})

test('a block of samples decodes to what was encoded, exact at the scale of each series', () => {
  fc.assert(fc.property(stretch, (one) => assert.deepEqual(decodeBlock(encodeBlock(one, numbers), numbers), one)))
})

test('a block of buckets decodes to what was encoded', () => {
  fc.assert(
    fc.property(stretch, (one) => {
      const buckets = rolledUp(one, 600_000)
      assert.deepEqual(decodeBlock(encodeBlock(buckets, numbers), numbers), buckets)
    }),
  )
})

test('extremes whose hundredths are too large to be counted keep twelve digits', () => {
  const huge = fc.integer({ min: 2 ** 41, max: 2 ** 45 })
  fc.assert(
    fc.property(fc.array(huge, { minLength: 1, maxLength: 9 }), (values) => {
      const of = (value: number) => Float64Array.of(value)
      const [minimum, maximum] = [Math.min(...values), Math.max(...values)]
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      const extremes = { minimum: of(minimum), maximum: of(maximum), count: of(values.length) }
      const one = { times: [0], series: [{ key: 'temperature.a.celsius', average: of(mean), extremes }] }
      const back = decodeBlock(encodeBlock(one, numbers), numbers).series[0]
      const near = (read: number | undefined, wanted: number) =>
        assert.ok(Math.abs((read ?? 0) - wanted) <= wanted * 1e-12, `${read} for ${wanted}`)
      near(back?.average[0], mean)
      near(back?.extremes?.minimum[0], minimum)
      near(back?.extremes?.maximum[0], maximum)
    }),
  )
})

test('the same stretch gives the same bytes, in whatever order its series come', () => {
  fc.assert(
    fc.property(stretch, (one) => {
      assert.deepEqual(encodeBlock({ ...one, series: one.series.toReversed() }, numbers), encodeBlock(one, numbers))
    }),
  )
})

test('a block is small: constants take a few bytes, what is rounded to hundredths of a gibibyte one or two each', () => {
  const times = Array.from({ length: 60 }, (_, minute) => Date.UTC(2026, 0, 10) + minute * 60_000)
  const constant = { times, series: [{ key: 'memory.totalBytes', average: new Float64Array(60).fill(16 * 1024 ** 3) }] }
  assert.ok(encodeBlock(constant, numbers).length < 50)
  const wavering = times.map((_, at) => Math.round(((at % 7) / 100 + 3) * 1024 ** 3))
  const rising = { times, series: [{ key: 'memory.totalBytes', average: Float64Array.from(wavering) }] }
  assert.ok(encodeBlock(rising, numbers).length < 110)
})

test('anything that is no block is told to be damaged, and never crashes', () => {
  const isTold = (bytes: Uint8Array): void => {
    try {
      decodeBlock(bytes, numbers)
    } catch (error) {
      assert.ok(error instanceof DamagedBytesError, String(error))
    }
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), isTold))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (body) => isTold(Uint8Array.of(1, ...zstdCompressSync(body)))))
  fc.assert(
    fc.property(stretch, fc.nat(), fc.nat(255), (one, at, byte) => {
      const bytes = encodeBlock(one, numbers)
      bytes[at % bytes.length] = byte
      isTold(bytes)
      isTold(bytes.subarray(0, at % bytes.length))
    }),
  )
})

test('a block that decompresses to more than any block can be is damaged', () => {
  const bomb = Uint8Array.of(1, ...zstdCompressSync(new Uint8Array(70 * 1024 * 1024)))
  assert.throws(() => decodeBlock(bomb, numbers), DamagedBytesError)
})

test('a block of any length comes back, however its frame says how long it is', () => {
  for (const length of [0, 1, 20, 300, 5_000, 30_000, 200_000]) {
    const times = Array.from({ length }, (_, at) => 1_768_000_000_000 + at * 60_000 + ((at * 7919) % 997))
    const average = Float64Array.from({ length }, (_, at) => ((at * 7919) % 10_007) / 100)
    const one = { times, series: [{ key: 'cpu.busyPercent', average }] }
    assert.deepEqual(decodeBlock(encodeBlock(one, numbers), numbers), one)
  }
})

test('a frame that says it holds far more than it does is damaged, and takes no memory', () => {
  const block = Uint8Array.from(encodeBlock({ times: [1000], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1) }] }, numbers))
  // RFC 8878 §3.1.1.1: a content size of four bytes, in one segment.
  const lying = Uint8Array.of(...block.subarray(0, 5), 0xa0, 0xff, 0xff, 0xff, 0x3f, ...block.subarray(7))
  const before = process.memoryUsage().arrayBuffers
  assert.throws(() => decodeBlock(lying, numbers), DamagedBytesError)
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
})

test('a block says which series it holds that have no name any more', () => {
  const block = encodeBlock({ times: [1000], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1) }] }, numbers)
  assert.throws(() => decodeBlock(block, { ...numbers, byNumber: () => undefined }), /its series 0 has no name/)
})

test('joined keeps, of points with one time, the last stretch’s; series that one lacks are unknown there', () => {
  const first = { times: [1, 2], series: [{ key: 'a', average: Float64Array.of(1, 2) }] }
  const second = { times: [2, 3], series: [{ key: 'b', average: Float64Array.of(20, 30) }] }
  assert.deepEqual(joined([first, second]), {
    times: [1, 2, 3],
    series: [
      { key: 'a', average: Float64Array.of(1, Number.NaN, Number.NaN) },
      { key: 'b', average: Float64Array.of(Number.NaN, 20, 30) },
    ],
  })
})

test('a block read for some series gives those alone, as the whole block has them', () => {
  fc.assert(
    fc.property(stretch, fc.subarray(keys), (one, wanted) => {
      const whole = decodeBlock(encodeBlock(one, numbers), numbers)
      const part = decodeBlock(encodeBlock(one, numbers), numbers, (key) => wanted.includes(key))
      assert.deepEqual(part, { times: whole.times, series: whole.series.filter(({ key }) => wanted.includes(key)) })
    }),
  )
})
