import type { SeriesKey } from '@vedette/protocol/metrics/series'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ByteReader, ByteWriter, DamagedBytesError, readNumberRuns, writeNumberRuns } from '../../platform/byte-codec.ts'
import { skipColumn, readColumn, writeColumn } from './number-column.ts'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { type Extremes, type SeriesColumn, type SeriesTable, extremesOf, zeroNumbers } from '../model/series-table.ts'
import { nearestHundredth } from '../model/precision.ts'
import { readTimes, writeTimes } from './time-column.ts'

/** Function that selects the series to decode from a compressed history block: true for the key of a series to decode, false to skip it. */
export type IsWanted = (key: SeriesKey) => boolean

/** Number of the format version of a history block (compressed samples of one system): 1. It is the first byte of each block. */
const VERSION = 1

const COMPRESSION_LEVEL = 3
/** Maximum size of a history block after decompression, in bytes (64 MiB). Decoding a larger block throws a `DamagedBytesError`. */
const MOST_BODY_BYTES = 64 * 1024 * 1024
/**
 * Maximum number of cells (times × series) of a compressed history block: 16,000,000. Decoding a larger block throws a `DamagedBytesError`.
 * A block with one day of minutes can so have about 11,000 series.
 */
export const MOST_CELLS = 16_000_000
const MOST_SERIES = 100_000

/**
 * Encodes a table of series as a history block: the version byte, then a zstd frame (RFC 8878). The frame has the times, series numbers and
 * values; for buckets also minimums, maximums and counts. Equal tables give equal bytes.
 */
export function encodeBlock({ times, series }: SeriesTable, numbers: SeriesNumbers): Uint8Array {
  const writer = new ByteWriter()
  const numbered = series.map((column) => ({ of: numbers.byKey(column.key), column })).toSorted((a, b) => a.of.number - b.of.number)
  const buckets = series.some(({ extremes }) => extremes !== undefined)
  writer.byte(buckets ? 1 : 0)
  writeTimes(writer, times)
  writeNumberRuns(
    writer,
    numbered.map(({ of }) => of.number),
  )
  const usual = usualCount(series, times.length)
  if (buckets) writeColumn(writer, usual, 0)
  for (const { of, column } of numbered) {
    writeColumn(writer, column.average, of.step)
    if (buckets) writeExtremes(writer, of, column, usual)
  }
  const body = zstdCompressSync(writer.take(), { params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL } })
  const block = new Uint8Array(body.length + 1)
  block[0] = VERSION
  block.set(body, 1)
  return block
}

/**
 * Decodes a history block (compressed samples of one system) to a table of series, sorted by key. Throws {@link DamagedBytesError} for
 * bytes that are not a valid block. With `isWanted` it decodes only those series and does not check the bytes after the last of them.
 */
export function decodeBlock(bytes: Uint8Array, numbers: SeriesNumbers, isWanted?: IsWanted): SeriesTable {
  if (bytes[0] !== VERSION) throw new DamagedBytesError(`it is of unknown version ${bytes[0] ?? 'none'}`)
  const reader = new ByteReader(inflated(bytes.subarray(1)))
  const form = reader.byte()
  if (form > 1) throw new DamagedBytesError(`it is of unknown form ${form}`)
  const times = readTimes(reader)
  const found = readNumberRuns(reader, Math.min(MOST_SERIES, MOST_CELLS / Math.max(times.length, 1))).map((number) => {
    const of = numbers.byNumber(number)
    if (of === undefined) throw new DamagedBytesError(`its series ${number} has no name`)
    return of
  })
  const usual = form === 1 ? readColumn(reader, times.length) : undefined
  const last = isWanted === undefined ? found.length : found.findLastIndex(({ key }) => isWanted(key)) + 1
  const series: SeriesColumn[] = []
  for (const of of found.slice(0, last)) {
    if (isWanted !== undefined && !isWanted(of.key)) skipSeries(reader, times.length, usual !== undefined)
    else series.push(readSeries(reader, of, times.length, usual))
  }
  if (isWanted === undefined && reader.left > 0) throw new DamagedBytesError(`${reader.left} bytes follow its end`)
  return { times, series: series.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }
}

function readSeries(reader: ByteReader, of: NumberedSeries, length: number, usual: Float64Array | undefined): SeriesColumn {
  const average = readColumn(reader, length)
  return usual === undefined ? { key: of.key, average } : { key: of.key, average, extremes: readExtremes(reader, of, average, usual) }
}

/**
 * Moves the reader of a history block (compressed samples) past one series without decoding its values. `length` is the number of times in
 * the block; with `isOfBuckets` minimums, maximums and counts are skipped, too.
 */
function skipSeries(reader: ByteReader, length: number, isOfBuckets: boolean): void {
  skipColumn(reader, length)
  if (!isOfBuckets) return
  skipColumn(reader, length)
  skipColumn(reader, length)
  if (reader.byte() === OWN_COUNT) skipColumn(reader, length)
}

/**
 * Output chunk size with which zlib decompresses a history block, in bytes (16 KiB). Used if the block's zstd frame states no content size,
 * or one of at least 1 MiB.
 */
const USUAL_CHUNK_BYTES = 16 * 1024
const LONGEST_CHUNK_BYTES = 1024 * 1024
/**
 * Number of bytes (64) by which zlib's output chunk exceeds the content size in a history block's zstd frame. Without them, zlib would need
 * a second chunk to find the frame's end.
 */
const MORE_BYTES = 64

function inflated(body: Uint8Array): Uint8Array {
  const bytes = contentBytes(body) ?? LONGEST_CHUNK_BYTES
  const chunkSize = bytes < LONGEST_CHUNK_BYTES ? bytes + MORE_BYTES : USUAL_CHUNK_BYTES
  try {
    return zstdDecompressSync(body, { maxOutputLength: MOST_BODY_BYTES, chunkSize })
  } catch (error) {
    throw new DamagedBytesError('it does not decompress', { cause: error })
  }
}

/**
 * Returns the content size in bytes that a zstd frame header states (RFC 8878 §3.1.1.1). `undefined` for frames of less than 14 bytes,
 * without a size, with a dictionary, or with an 8-byte size.
 */
function contentBytes(frame: Uint8Array): number | undefined {
  const descriptor = frame[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  if ((descriptor & 3) !== 0 || frame.length < 14) return undefined
  const at = isSingleSegment ? 5 : 6
  const fields = new DataView(frame.buffer, frame.byteOffset)
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? frame[at] : undefined
    case 1:
      return fields.getUint16(at, true) + 256
    case 2:
      return fields.getUint32(at, true)
    default:
      return undefined
  }
}

/**
 * Returns an array with the highest sample count that any series has in each bucket of a history block. Most series have exactly these
 * counts; those are then stored only once.
 */
function usualCount(series: readonly SeriesColumn[], length: number): Float64Array {
  const usual = new Float64Array(length)
  for (const { extremes } of series)
    for (const [at, count] of (extremes?.count ?? []).entries()) if (count > (usual[at] ?? 0)) usual[at] = count
  return usual
}

const AS_USUAL = 0
const OWN_COUNT = 1

/**
 * Writes minimum, maximum and sample count of each bucket of a series to the encoded history block. Counts are left out if all equal
 * `usual`, the array of the highest counts in the block.
 */
function writeExtremes(writer: ByteWriter, { step }: NumberedSeries, column: SeriesColumn, usual: Float64Array): void {
  const { average } = column
  const { minimum, maximum, count } = extremesOf(column)
  writeColumn(writer, step === 0 ? minimum : minimum.map((value, at) => (average[at] ?? 0) - value), step)
  writeColumn(writer, step === 0 ? maximum : maximum.map((value, at) => value - (average[at] ?? 0)), step)
  const asUsual = count.every((value, at) => Number.isNaN(value) || value === usual[at])
  writer.byte(asUsual ? AS_USUAL : OWN_COUNT)
  if (!asUsual) writeColumn(writer, count, 0)
}

function readExtremes(reader: ByteReader, { step }: NumberedSeries, average: Float64Array, usual: Float64Array): Extremes {
  const below = readColumn(reader, average.length)
  const above = readColumn(reader, average.length)
  const own = reader.byte()
  if (own > OWN_COUNT) throw new DamagedBytesError(`its counts are of unknown kind ${own}`)
  const count = own === OWN_COUNT ? readColumn(reader, average.length) : usualWhereKnown(usual, average)
  if (step === 1)
    for (let at = 0; at < average.length; at++) {
      const middle = average[at] ?? 0
      below[at] = nearestHundredth(middle - (below[at] ?? 0))
      above[at] = nearestHundredth(middle + (above[at] ?? 0))
    }
  return { minimum: below, maximum: above, count }
}

function usualWhereKnown(usual: Float64Array, average: Float64Array): Float64Array {
  const count = zeroNumbers(usual.length)
  for (let at = 0; at < usual.length; at++) count[at] = Number.isNaN(average[at]) ? Number.NaN : (usual[at] ?? Number.NaN)
  return count
}
