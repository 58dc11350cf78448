import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { numberedBy } from '../../../test/numbered-by.ts'
import { decodeBlock, encodeBlock } from './block-codec.ts'
import { DamagedBytesError } from '../../platform/byte-codec.ts'
import { finestStep, roundToStep } from '../model/precision.ts'
import { rolledUp } from '../model/roll-up.ts'
import { joinTables, type SeriesTable } from '../model/series-table.ts'

const keys = ['cpu.busyPercent', 'disk.usedBytes', 'fan.a.rpm', 'memory.totalBytes', 'temperature.a.celsius', 'web-1.cpuPercent']
const numbers = numberedBy(keys)

const value = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: 0, max: 2 ** 45 }),
  fc.integer({ min: 0, max: 5000 }).map((hundredths) => (hundredths / 100) * 1024 ** 3),
  fc.constant(Number.NaN),
  fc.constant(12.5),
)

/** A value within the limit of steps, for series that are stored in hundredths. */
const withinCount = (key: string, one: number): number => (finestStep(key) === 0 ? one : one % 2 ** 41)

const table = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 80 }).chain((gaps) => {
  let time = Date.UTC(2026, 0, 10)
  const times = gaps.map((gap) => (time += gap))
  const column = (key: string) =>
    fc.array(value, { minLength: times.length, maxLength: times.length }).map((values) => ({
      key,
      average: Float64Array.from(values, (one) => (Number.isNaN(one) ? one : roundToStep(finestStep(key), withinCount(key, one)))),
    }))
  return fc
    .subarray(keys)
    .chain((some) => fc.tuple(...some.map(column)))
    .map((series): SeriesTable => ({ times, series }))
})

test('decodeBlock returns the samples that encodeBlock encoded, exact at the scale of each series', () => {
  fc.assert(fc.property(table, (one) => assert.deepEqual(decodeBlock(encodeBlock(one, numbers), numbers), one)))
})

test('decodeBlock returns the buckets that encodeBlock encoded', () => {
  fc.assert(
    fc.property(table, (one) => {
      const buckets = rolledUp(one, 600_000)
      assert.deepEqual(decodeBlock(encodeBlock(buckets, numbers), numbers), buckets)
    }),
  )
})

test('encodeBlock keeps twelve digits of extremes that are too large to count in hundredths', () => {
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

test('encodeBlock returns the same bytes for any order of the series', () => {
  fc.assert(
    fc.property(table, (one) => {
      assert.deepEqual(encodeBlock({ ...one, series: one.series.toReversed() }, numbers), encodeBlock(one, numbers))
    }),
  )
})

test('encodeBlock needs a few bytes for a constant series, and one or two bytes per value rounded to 0.01 GiB', () => {
  const times = Array.from({ length: 60 }, (_, minute) => Date.UTC(2026, 0, 10) + minute * 60_000)
  const constant = { times, series: [{ key: 'memory.totalBytes', average: new Float64Array(60).fill(16 * 1024 ** 3) }] }
  assert.ok(encodeBlock(constant, numbers).length < 50)
  const wavering = times.map((_, at) => Math.round(((at % 7) / 100 + 3) * 1024 ** 3))
  const rising = { times, series: [{ key: 'memory.totalBytes', average: Float64Array.from(wavering) }] }
  assert.ok(encodeBlock(rising, numbers).length < 110)
})

test('decodeBlock throws DamagedBytesError for any bytes that are not a block', () => {
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
    fc.property(table, fc.nat(), fc.nat(255), (one, at, byte) => {
      const bytes = encodeBlock(one, numbers)
      bytes[at % bytes.length] = byte
      isTold(bytes)
      isTold(bytes.subarray(0, at % bytes.length))
    }),
  )
})

test('decodeBlock refuses a block that decompresses to more than the maximum size of a block', () => {
  const bomb = Uint8Array.of(1, ...zstdCompressSync(new Uint8Array(70 * 1024 * 1024)))
  assert.throws(() => decodeBlock(bomb, numbers), { name: 'DamagedBytesError', message: 'it does not decompress' })
})

test('decodeBlock refuses a block with too many cells before it allocates memory', () => {
  const times = 1_000_000
  const body = new Uint8Array(times + 7)
  // A million times, one per minute, and 17 series: each count alone is allowed, but not their product.
  body.set([0, 0xc0, 0x84, 0x3d, 120, 120])
  body.set([1, 0, 16], body.length - 3)
  assert.throws(() => decodeBlock(Uint8Array.of(1, ...zstdCompressSync(body)), numbers), {
    name: 'DamagedBytesError',
    message: 'it says more than 16 numbers',
  })
})

test('decodeBlock returns series in the order of their names, not of their numbers', () => {
  const later = numberedBy(['web.cpuPercent', 'db.cpuPercent', 'a.cpuPercent'])
  const series = ['a.cpuPercent', 'db.cpuPercent', 'web.cpuPercent'].map((key, at) => ({ key, average: Float64Array.of(at) }))
  assert.deepEqual(decodeBlock(encodeBlock({ times: [5], series }, later), later), { times: [5], series })
})

test('encodeBlock stores a sample series beside buckets as buckets of one sample each', () => {
  const [cpu] = rolledUp({ times: [0, 1], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1, 3) }] }, 600_000).series
  assert.ok(cpu)
  const fan = { key: 'fan.a.rpm', average: Float64Array.of(900) }
  const one = (value: number) => Float64Array.of(value)
  assert.deepEqual(decodeBlock(encodeBlock({ times: [0], series: [cpu, fan] }, numbers), numbers).series, [
    cpu,
    { ...fan, extremes: { minimum: one(900), maximum: one(900), count: one(1) } },
  ])
})

test('decodeBlock returns blocks of any length, whatever form of content size their frame has', () => {
  for (const length of [0, 1, 20, 300, 5_000, 30_000, 200_000]) {
    const times = Array.from({ length }, (_, at) => 1_768_000_000_000 + at * 60_000 + ((at * 7919) % 997))
    const average = Float64Array.from({ length }, (_, at) => ((at * 7919) % 10_007) / 100)
    const one = { times, series: [{ key: 'cpu.busyPercent', average }] }
    assert.deepEqual(decodeBlock(encodeBlock(one, numbers), numbers), one)
  }
})

test('decodeBlock refuses a frame with a false content size without allocating memory', () => {
  const block = Uint8Array.from(encodeBlock({ times: [1000], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1) }] }, numbers))
  // RFC 8878 §3.1.1.1: a content size of four bytes, in one segment.
  const lying = Uint8Array.of(...block.subarray(0, 5), 0xa0, 0xff, 0xff, 0xff, 0x3f, ...block.subarray(7))
  const before = process.memoryUsage().arrayBuffers
  assert.throws(() => decodeBlock(lying, numbers), DamagedBytesError)
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
})

test('decodeBlock names the series numbers of a block that have no name', () => {
  const block = encodeBlock({ times: [1000], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1) }] }, numbers)
  assert.throws(() => decodeBlock(block, { ...numbers, byNumber: () => undefined }), /its series 0 has no name/)
})

test('joinTables keeps the last table’s point of each time, and NaN for series that this table lacks', () => {
  const first = { times: [1, 2], series: [{ key: 'a', average: Float64Array.of(1, 2) }] }
  const second = { times: [2, 3], series: [{ key: 'b', average: Float64Array.of(20, 30) }] }
  assert.deepEqual(joinTables([first, second]), {
    times: [1, 2, 3],
    series: [
      { key: 'a', average: Float64Array.of(1, Number.NaN, Number.NaN) },
      { key: 'b', average: Float64Array.of(Number.NaN, 20, 30) },
    ],
  })
})

test('decodeBlock for some series returns these series only, equal to those of the whole block', () => {
  fc.assert(
    fc.property(table, fc.subarray(keys), (one, wanted) => {
      const whole = decodeBlock(encodeBlock(one, numbers), numbers)
      const part = decodeBlock(encodeBlock(one, numbers), numbers, (key) => wanted.includes(key))
      assert.deepEqual(part, { times: whole.times, series: whole.series.filter(({ key }) => wanted.includes(key)) })
    }),
  )
})

const blockOf = (...body: readonly number[]): Uint8Array => Uint8Array.of(1, ...zstdCompressSync(Uint8Array.from(body)))
const bodyOf = (one: SeriesTable): readonly number[] => [...zstdDecompressSync(encodeBlock(one, numbers).subarray(1))]

/** One sample at time 60 of the first series: form, times, series numbers, column. */
const samplesBody = [0, 1, 120, 1, 0, 0, 1, 1, 0xc8, 1]
/** Two buckets of two series: the highest counts, then for each series average, distances of the extremes, and counts. */
const bucketsBody = [
  [1, 2, 0, 120, 1, 0, 1],
  [2, 0, 1, 6, 4],
  [1, 1, 0xc8, 1, 1, 1, 2, 1, 1, 4, 0],
  [5, 1, 1, 0, 4, 5, 1, 1, 0, 2, 5, 1, 1, 0, 6, 1, 5, 1, 1, 0, 2],
].flat()
const buckets: SeriesTable = {
  times: [0, 60],
  series: [
    {
      key: 'cpu.busyPercent',
      average: Float64Array.of(1, 1),
      extremes: { minimum: Float64Array.of(0.99, 0.99), maximum: Float64Array.of(1.02, 1.02), count: Float64Array.of(3, 5) },
    },
    {
      key: 'disk.usedBytes',
      average: Float64Array.of(2, Number.NaN),
      extremes: { minimum: Float64Array.of(1, Number.NaN), maximum: Float64Array.of(3, Number.NaN), count: Float64Array.of(1, Number.NaN) },
    },
  ],
}

test('the stored format of blocks never changes', () => {
  const samples: SeriesTable = { times: [60], series: [{ key: 'cpu.busyPercent', average: Float64Array.of(1) }] }
  assert.deepEqual(bodyOf(samples), samplesBody)
  assert.deepEqual(decodeBlock(blockOf(...samplesBody), numbers), samples)
  assert.deepEqual(bodyOf(buckets), bucketsBody)
  assert.deepEqual(decodeBlock(blockOf(...bucketsBody), numbers), buckets)
})

test('decodeBlock returns the same values of a series from a partial read and from a full read', () => {
  const [cpu, disk] = buckets.series
  assert.deepEqual(
    decodeBlock(blockOf(...bucketsBody), numbers, (key) => key === 'disk.usedBytes'),
    { times: [0, 60], series: [disk] },
  )
  assert.deepEqual(
    decodeBlock(blockOf(...bucketsBody), numbers, (key) => key === 'cpu.busyPercent'),
    { times: [0, 60], series: [cpu] },
  )
  // Bytes after the last wanted series are not read.
  assert.deepEqual(decodeBlock(blockOf(...bucketsBody.slice(0, 23)), numbers, (key) => key === 'cpu.busyPercent').series, [cpu])
  const whole = rolledUp(
    { times: [0, 1, 2], series: keys.map((key, at) => ({ key, average: Float64Array.of(at, at + 1, at % 2 === 0 ? Number.NaN : 5) })) },
    600_000,
  )
  for (const wanted of keys)
    assert.deepEqual(
      decodeBlock(encodeBlock(whole, numbers), numbers, (key) => key === wanted).series,
      whole.series.filter(({ key }) => key === wanted),
    )
})

for (const [what, bytes, message] of [
  ['nothing', new Uint8Array(0), 'it is of unknown version none'],
  ['another version', Uint8Array.of(2, ...zstdCompressSync(Uint8Array.of(0, 0, 0))), 'it is of unknown version 2'],
  ['bytes that are not compressed', Uint8Array.of(1, 2, 3), 'it does not decompress'],
  ['an unknown form', blockOf(2, 0, 0), 'it is of unknown form 2'],
  ['bytes after the end', blockOf(...samplesBody, 0, 0), '2 bytes follow its end'],
  ['an unknown kind of counts', blockOf(...bucketsBody.slice(0, 22), 2, ...bucketsBody.slice(23)), 'its counts are of unknown kind 2'],
  ['more series than a block may have', blockOf(0, 0, 1, 0, 0xa0, 0x8d, 6), 'it says more than 100000 numbers'],
  ['a series without a name', blockOf(0, 0, 1, 99, 0), 'its series 99 has no name'],
  ['a truncated body', blockOf(...samplesBody.slice(0, -1)), 'it ends too early'],
] as const) {
  test(`decodeBlock refuses ${what}`, () => {
    assert.throws(() => decodeBlock(bytes, numbers), { name: 'DamagedBytesError', message })
  })
}

test('decodeBlock returns an empty table for no series and no times', () => {
  assert.deepEqual(decodeBlock(blockOf(0, 0, 0), numbers), { times: [], series: [] })
  assert.deepEqual(
    decodeBlock(blockOf(...samplesBody), numbers, () => false),
    { times: [60], series: [] },
  )
})
