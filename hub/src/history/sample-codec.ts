import type { SeriesValues, StoredKind } from '@vedette/protocol/metrics/series'
import { ByteReader, DamagedBytesError } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import type { NumberedSeries, SeriesNumbers } from './numbered-series.ts'
import { roomFor } from './number-space.ts'
import { readNumberRuns, writeNumberRuns } from './number-runs.ts'
import { coarseSteps, fromSteps, isStep, MOST_STEPS, rounded, toSteps } from './precision.ts'

/** The first byte of a sample in the open end. */
const VERSION = 1

const kindNumbers: Readonly<Record<StoredKind, number>> = { system: 0, containers: 1 }
const kinds = ['system', 'containers'] as const
const MOST_SERIES = 100_000

/** How the numbers of one kind follow: in steps, or as they are because one is too large to be counted. */
const STEPS = 0
const DOUBLES = 1

export type SampleKinds = Readonly<Partial<Record<StoredKind, SeriesValues>>>

/** The values of one kind of a sample, and whose they are. */
export type SampleSeries = { readonly series: readonly NumberedSeries[]; readonly values: Float64Array }

/**
 * One sample as bytes: the version, then a kind, the numbers of its series ascending and their values, for each kind it
 * has. Values are rounded to their series' scale. All its series have numbers already.
 */
export function encodeSample(writer: ByteWriter, sample: SampleKinds, numbers: SeriesNumbers): Uint8Array {
  writer.byte(VERSION)
  for (const kind of kinds) {
    const values = sample[kind]
    if (values === undefined) continue
    const series = inOrder(Object.keys(values).map((key) => numbers.byKey(key)))
    writer.byte(kindNumbers[kind])
    writeNumberRuns(
      writer,
      series.map(({ number }) => number),
    )
    const large = series.some(({ key, step }) => Math.abs(toSteps(step, values[key] ?? 0)) > MOST_STEPS)
    writer.byte(large ? DOUBLES : STEPS)
    for (const { key, step } of series) {
      const value = values[key] ?? 0
      if (large) writer.double(rounded(step, value))
      else writeValue(writer, step, value)
    }
  }
  return writer.take()
}

/** Series come in the order they were first seen in, mostly. */
function inOrder(series: readonly NumberedSeries[]): readonly NumberedSeries[] {
  let last = -1
  for (const { number } of series) {
    if (number < last) return series.toSorted((a, b) => a.number - b.number)
    last = number
  }
  return series
}

type Section = { readonly header: Uint8Array; readonly series: readonly NumberedSeries[] }

/**
 * Decodes samples one after the other: what each holds, by kind. A system says the same series minute after minute, so each
 * kind's series are looked up only when they change. With `wanted` nothing is read of the other kind. Throws {@link DamagedBytesError}.
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
      else passValues(reader, series.length)
      if (wanted === kind) return found
    }
    return found
  }
}

function readValues(reader: ByteReader, series: readonly NumberedSeries[]): SampleSeries {
  const form = reader.byte()
  if (form > DOUBLES) throw new DamagedBytesError(`its values are of unknown form ${form}`)
  const values = roomFor(series.length)
  for (let at = 0; at < series.length; at++) values[at] = form === DOUBLES ? reader.double() : readValue(reader, series[at]?.step ?? 0)
  return { series, values }
}

/** Over what nobody wants to know. */
function passValues(reader: ByteReader, count: number): void {
  const form = reader.byte()
  for (let at = 0; at < count; at++) {
    if (form === DOUBLES) reader.bytes(8)
    else reader.integer()
  }
}

/** Bytes carry which steps they are counted in: agents round sizes, and what they say is a third as long in their steps. */
function writeValue(writer: ByteWriter, finest: 0 | 1, value: number): void {
  if (finest === 1) return writer.signed(toSteps(1, value))
  const whole = toSteps(0, value)
  const step = coarseSteps.find((coarse) => fromSteps(coarse, toSteps(coarse, whole)) === whole) ?? 0
  const count = toSteps(step, whole)
  writer.integer((count >= 0 ? count * 2 : count * -2 - 1) * 4 + step)
}

function readValue(reader: ByteReader, finest: 0 | 1): number {
  if (finest === 1) return fromSteps(1, reader.signed())
  const packed = reader.integer()
  const step = packed % 4
  if (!isStep(step)) throw new DamagedBytesError(`a value is in unknown steps ${step}`)
  const signed = Math.floor(packed / 4)
  return fromSteps(step, signed % 2 === 0 ? signed / 2 : (signed + 1) / -2)
}
