import type { SeriesKey, SeriesValues, StoredKind } from '@vedette/protocol/metrics/series'
import type { SeriesNumbers } from './block-codec.ts'
import { ByteReader, DamagedBytesError } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { readNumberRuns, writeNumberRuns } from './number-runs.ts'
import { coarseSteps, finestStep, fromSteps, isStep, MOST_STEPS, rounded, toSteps } from './precision.ts'

/** The first byte of a sample in the open end. */
const VERSION = 1

const kindNumbers: Readonly<Record<StoredKind, number>> = { system: 0, containers: 1 }
const MOST_SERIES = 100_000

/** How the numbers of one kind follow: in steps, or as they are because one is too large to be counted. */
const STEPS = 0
const DOUBLES = 1

export type SampleKinds = Readonly<Partial<Record<StoredKind, SeriesValues>>>

/**
 * One sample as bytes: the version, then a kind, the numbers of its series ascending and their values, for each kind it
 * has. Values are rounded to their series' scale. All its series have numbers already.
 */
export function encodeSample(kinds: SampleKinds, numbers: SeriesNumbers): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(VERSION)
  for (const kind of ['system', 'containers'] as const) {
    const values = kinds[kind]
    if (values === undefined) continue
    const numbered = Object.keys(values)
      .map((key) => ({ key, number: numbers.numberOf(key), value: values[key] ?? 0 }))
      .toSorted((a, b) => a.number - b.number)
    writer.byte(kindNumbers[kind])
    writeNumberRuns(
      writer,
      numbered.map(({ number }) => number),
    )
    const large = numbered.some(({ key, value }) => Math.abs(toSteps(finestStep(key), value)) > MOST_STEPS)
    writer.byte(large ? DOUBLES : STEPS)
    for (const { key, value } of numbered) {
      if (large) writer.double(rounded(finestStep(key), value))
      else writeValue(writer, finestStep(key), value)
    }
  }
  return writer.take()
}

/** The values of one kind; undefined when the sample has none. Throws {@link DamagedBytesError}. */
export function decodeSample(bytes: Uint8Array, kind: StoredKind, numbers: SeriesNumbers): ReadonlyMap<SeriesKey, number> | undefined {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new DamagedBytesError(`it is of unknown version ${version}`)
  let found: ReadonlyMap<SeriesKey, number> | undefined
  while (reader.left > 0) {
    const number = reader.byte()
    const values = readValues(reader, numbers)
    if (number === kindNumbers[kind]) found = values
  }
  return found
}

function readValues(reader: ByteReader, numbers: SeriesNumbers): ReadonlyMap<SeriesKey, number> {
  const series = readNumberRuns(reader, MOST_SERIES)
  const form = reader.byte()
  if (form > DOUBLES) throw new DamagedBytesError(`its values are of unknown form ${form}`)
  const values = new Map<SeriesKey, number>()
  for (const number of series) {
    const key = numbers.keyOf(number)
    if (key === undefined) throw new DamagedBytesError(`its series ${number} has no name`)
    values.set(key, form === DOUBLES ? reader.double() : readValue(reader, finestStep(key)))
  }
  return values
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
