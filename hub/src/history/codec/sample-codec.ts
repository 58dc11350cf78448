import { keyOf, type SeriesKey, type SeriesPoints, type StoredKind } from '@vedette/protocol/metrics/series'
import { ByteReader, type ByteWriter, DamagedBytesError, readNumberRuns, writeNumberRuns } from '../../platform/byte-codec.ts'
import type { NumberedSeries, SeriesNumbers } from '../model/numbered-series.ts'
import { zeroNumbers } from '../model/series-table.ts'
import { coarseSteps, fromSteps, isStep, MOST_STEPS, roundToStep, toSteps, type PrecisionStep } from '../model/precision.ts'

/** Format version of an encoded sample (all values of one system at one time): 1. It is the sample's first byte. */
const VERSION = 1

const kindNumbers: Readonly<Record<StoredKind, number>> = { system: 0, containers: 1 }
const kinds = ['system', 'containers'] as const
const MOST_SERIES = 100_000

/**
 * Code 0 before the values in an encoded sample: they are stored as whole numbers of a unit, such as hundredths. The other code, `DOUBLES`
 * (1), is used when a value is too large for that.
 */
const STEPS = 0
const DOUBLES = 1

export type SampleKinds = Readonly<Partial<Record<StoredKind, SeriesPoints>>>

/**
 * Removes values that are NaN or infinite from a sample. Returns the remaining series and values as `points`, and the series keys of the
 * removed ones as `leftOut`.
 */
export function finitePoints(given: SeriesPoints): { readonly points: SeriesPoints; readonly leftOut: readonly SeriesKey[] } {
  const { things, fields, values } = given
  if (values.every(Number.isFinite)) return { points: given, leftOut: [] }
  const isNumber = (_: unknown, at: number) => Number.isFinite(values[at])
  const points = { things: things.filter(isNumber), fields: fields.filter(isNumber), values: values.filter(isNumber) }
  return { points, leftOut: things.flatMap((thing, at) => (isNumber(thing, at) ? [] : [keyOf(thing, fields[at] ?? '')])) }
}

/** Series of one kind (system or containers) of a decoded sample, and their values, as two lists in the same order. */
export type SampleSeries = { readonly series: readonly NumberedSeries[]; readonly values: Float64Array }

/**
 * Encodes one sample: the version byte, then for each kind (system, containers) its code, its ascending series numbers and their values.
 * Values are rounded to whole numbers or hundredths, by series. Throws {@link RangeError} for a series without a number.
 */
export function encodeSample(writer: ByteWriter, sample: SampleKinds, numbers: SeriesNumbers): Uint8Array {
  writer.byte(VERSION)
  for (const kind of kinds) {
    const values = sample[kind]
    if (values !== undefined) writeKind(writer, kind, arranged(values, numbers))
  }
  return writer.take()
}

/**
 * Series of one kind (system or containers) of a sample, the short numbers that stand for them in stored bytes, and their values. The three
 * lists have the same order.
 */
type OrderedSeries = { readonly series: readonly NumberedSeries[]; readonly numbers: readonly number[]; readonly values: readonly number[] }

function arranged({ things, fields, values }: SeriesPoints, of: SeriesNumbers): OrderedSeries {
  const series: NumberedSeries[] = []
  const numbers: number[] = []
  let isRising = true
  for (let at = 0; at < values.length; at++) {
    const thing = things[at] ?? ''
    const field = fields[at] ?? ''
    const one = of.find(thing, field) ?? of.byKey(keyOf(thing, field))
    if (one.number <= (numbers[at - 1] ?? -1)) isRising = false
    series.push(one)
    numbers.push(one.number)
  }
  return isRising ? { series, numbers, values } : sorted({ series, numbers, values })
}

/**
 * Returns the three parallel lists (series, their short numbers, values) of a sample sorted by short number. If a number occurs twice, only
 * the later value stays. Rarely needed, because series mostly arrive in order.
 */
function sorted({ series, numbers, values }: OrderedSeries): OrderedSeries {
  const rising = numbers.map((_, at) => at).toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
  const places = rising.filter((at, place) => numbers[at] !== numbers[rising[place + 1] ?? -1])
  return {
    series: places.flatMap((at) => series[at] ?? []),
    numbers: places.map((at) => numbers[at] ?? 0),
    values: places.map((at) => values[at] ?? 0),
  }
}

function writeKind(writer: ByteWriter, kind: StoredKind, { series, numbers, values }: OrderedSeries): void {
  writer.byte(kindNumbers[kind])
  writeNumberRuns(writer, numbers)
  let isLarge = false
  for (let at = 0; at < values.length; at++) if (Math.abs(toSteps(series[at]?.step ?? 0, values[at] ?? 0)) > MOST_STEPS) isLarge = true
  writer.byte(isLarge ? DOUBLES : STEPS)
  for (let at = 0; at < values.length; at++) {
    const step = series[at]?.step ?? 0
    const value = values[at] ?? 0
    if (isLarge) writer.double(roundToStep(step, value))
    else writeValue(writer, step, value)
  }
}

type Section = { readonly header: Uint8Array; readonly series: readonly NumberedSeries[] }

/**
 * Returns a function that decodes the bytes of one sample to a map from kind (system, containers) to series and values. With `wanted`, it
 * decodes only that kind. The function throws {@link DamagedBytesError} for invalid bytes. It caches the list of series of the sample
 * before, which is mostly equal.
 */
export function sampleDecoder(
  numbers: SeriesNumbers,
  wanted?: StoredKind,
): (bytes: Uint8Array) => Readonly<Partial<Record<StoredKind, SampleSeries>>> {
  const before: Partial<Record<StoredKind, Section>> = {}

  function readSeries(reader: ByteReader, kind: StoredKind): readonly NumberedSeries[] {
    const last = before[kind]
    if (last !== undefined && reader.passes(last.header)) return last.series
    const from = reader.at
    const series = readNumberRuns(reader, MOST_SERIES).map((number) => {
      const of = numbers.byNumber(number)
      if (of === undefined) throw new DamagedBytesError(`its series ${number} has no name`)
      return of
    })
    before[kind] = { header: reader.since(from), series }
    return series
  }

  return (bytes) => {
    const reader = new ByteReader(bytes)
    const version = reader.byte()
    if (version !== VERSION) throw new DamagedBytesError(`it is of unknown version ${version}`)
    const found: Partial<Record<StoredKind, SampleSeries>> = {}
    while (reader.left > 0) {
      const number = reader.byte()
      const kind = kinds.find((one) => kindNumbers[one] === number)
      if (kind === undefined) throw new DamagedBytesError(`it is of unknown kind ${number}`)
      const series = readSeries(reader, kind)
      if (wanted === undefined || wanted === kind) found[kind] = readValues(reader, series)
      else skipValues(reader, series.length)
      if (wanted === kind) return found
    }
    return found
  }
}

function readValues(reader: ByteReader, series: readonly NumberedSeries[]): SampleSeries {
  const form = reader.byte()
  if (form > DOUBLES) throw new DamagedBytesError(`its values are of unknown form ${form}`)
  const values = zeroNumbers(series.length)
  for (let at = 0; at < series.length; at++) values[at] = form === DOUBLES ? reader.double() : readValue(reader, series[at]?.step ?? 0)
  return { series, values }
}

/** Moves the reader of an encoded sample past the `count` values of one kind (system or containers) without decoding them. */
function skipValues(reader: ByteReader, count: number): void {
  const form = reader.byte()
  for (let at = 0; at < count; at++) {
    if (form === DOUBLES) reader.bytes(8)
    else reader.integer()
  }
}

/**
 * Writes one value of a sample as a variable-length integer: in hundredths (`finest` 1), or as a whole number. Its two lowest bits then are
 * the code of the coarsest exact unit, which makes rounded sizes short.
 */
function writeValue(writer: ByteWriter, finest: 0 | 1, value: number): void {
  if (finest === 1) return writer.signed(toSteps(1, value))
  const whole = toSteps(0, value)
  const step = coarsestOf(whole)
  const count = toSteps(step, whole)
  writer.integer((count >= 0 ? count * 2 : count * -2 - 1) * 4 + step)
}

/**
 * Returns the code of the coarsest unit in which a whole number of bytes is exact. 2 means hundredths of a GiB, 3 hundredths of a MiB, 0
 * the number itself.
 */
function coarsestOf(whole: number): PrecisionStep {
  for (const coarse of coarseSteps) if (fromSteps(coarse, toSteps(coarse, whole)) === whole) return coarse
  return 0
}

function readValue(reader: ByteReader, finest: 0 | 1): number {
  if (finest === 1) return fromSteps(1, reader.signed())
  const packed = reader.integer()
  const step = packed % 4
  if (!isStep(step)) throw new DamagedBytesError(`a value is in unknown steps ${step}`)
  const signed = Math.floor(packed / 4)
  return fromSteps(step, signed % 2 === 0 ? signed / 2 : (signed + 1) / -2)
}
