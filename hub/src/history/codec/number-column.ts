import { type ByteReader, type ByteWriter, DamagedBytesError } from '../../platform/byte-codec.ts'
import { zeroNumbers, unknownNumbers } from '../model/series-table.ts'
import { coarseSteps, fromSteps, isStep, MOST_STEPS, toSteps, type PrecisionStep } from '../model/precision.ts'

/**
 * Mode 0 in the first byte of an encoded history series: all its values are unknown. The other modes are constants, too: all values equal
 * (1), differences between values (2), doubles (3).
 */
const NOTHING = 0
const CONSTANT = 1
const DIFFERENCES = 2
const DOUBLES = 3
/**
 * Bit flag (4) in the first byte of an encoded history series: some values are unknown (NaN). The lengths of the runs of known and unknown
 * values follow that byte.
 */
const WITH_GAPS = 4

/**
 * Encodes the values of one history series; NaN means unknown. They are rounded to `step` (0 whole numbers, 1 hundredths). Equal values
 * take a few bytes; otherwise differences are stored in the coarsest unit (such as hundredths of a GiB) that is exact. If a value is too
 * large for that, all are stored unrounded as doubles.
 */
export function writeColumn(writer: ByteWriter, values: Float64Array, step: 0 | 1): void {
  const known = knownOf(values)
  if (known.length === 0) return writer.byte(NOTHING)
  const counts = countBuffer(known.length)
  const chosen = chooseSteps(known, step, counts)
  const gaps = known.length === values.length ? 0 : WITH_GAPS
  const mode = chosen === undefined ? DOUBLES : isConstant(counts, known.length) ? CONSTANT : DIFFERENCES
  writer.byte(mode | gaps)
  if (gaps > 0) writeRuns(writer, values)
  if (chosen === undefined) {
    for (const value of known) writer.double(value)
    return
  }
  writer.byte(chosen)
  if (mode === CONSTANT) return writer.signed(counts[0] ?? 0)
  const factor = commonFactor(counts, known.length)
  writer.integer(factor)
  let last = 0
  for (let at = 0; at < known.length; at++) {
    const scaled = (counts[at] ?? 0) / factor
    writer.signed(scaled - last)
    last = scaled
  }
}

/**
 * Maximum number of values (4,096) of a history series for whose conversion to whole numbers one array is shared by all calls. A longer
 * series gets a new array.
 */
const LONGEST_SHARED = 4096

let sharedCounts = new Float64Array(0)

/**
 * Returns an array of at least `length` numbers as scratch space for converting values to whole numbers. The next call may return the same
 * array.
 */
function countBuffer(length: number): Float64Array {
  if (length > LONGEST_SHARED) return new Float64Array(length)
  if (length > sharedCounts.length) sharedCounts = new Float64Array(LONGEST_SHARED)
  return sharedCounts
}

function knownOf(values: Float64Array): Float64Array {
  for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) return values.filter((value) => !Number.isNaN(value))
  return values
}

function isConstant(counts: Float64Array, length: number): boolean {
  const first = counts[0]
  for (let at = 1; at < length; at++) if (counts[at] !== first) return false
  return true
}

/**
 * Reads the encoded values of one history series, which `writeColumn` wrote, and returns them as an array of `length` numbers; NaN means
 * unknown. Throws `DamagedBytesError` for invalid bytes.
 */
export function readColumn(reader: ByteReader, length: number): Float64Array {
  const first = reader.byte()
  if (first > (DOUBLES | WITH_GAPS)) throw new DamagedBytesError(`a column is of unknown kind ${first}`)
  const mode = first & 3
  if (mode === NOTHING) return unknownNumbers(length)
  if ((first & WITH_GAPS) === 0) return readKnown(reader, mode, length)
  const places = readRuns(reader, length)
  const known = readKnown(reader, mode, places.length)
  const values = unknownNumbers(length)
  for (let at = 0; at < places.length; at++) values[places[at] ?? 0] = known[at] ?? Number.NaN
  return values
}

function readKnown(reader: ByteReader, mode: number, length: number): Float64Array {
  const values = zeroNumbers(length)
  if (mode === DOUBLES) {
    for (let at = 0; at < length; at++) values[at] = reader.double()
    return values
  }
  const step = reader.byte()
  if (!isStep(step)) throw new DamagedBytesError(`a column is in unknown steps ${step}`)
  if (mode === CONSTANT) return values.fill(fromSteps(step, reader.signed()))
  const factor = reader.integer()
  reader.sums(values)
  if (step !== 0 || factor !== 1) for (let at = 0; at < length; at++) values[at] = fromSteps(step, (values[at] ?? 0) * factor)
  return values
}

/** Moves the reader past the encoded values of one history series (`length` numbers) without decoding them. */
export function skipColumn(reader: ByteReader, length: number): void {
  const first = reader.byte()
  if (first > (DOUBLES | WITH_GAPS)) throw new DamagedBytesError(`a column is of unknown kind ${first}`)
  const mode = first & 3
  if (mode === NOTHING) return
  const known = (first & WITH_GAPS) === 0 ? length : readRuns(reader, length).length
  if (mode === DOUBLES) return void reader.bytes(known * 8)
  reader.byte()
  reader.skipIntegers(mode === CONSTANT ? 1 : 1 + known)
}

/**
 * Fills the array `counts` with the known values of a history series as whole numbers of one unit. With `finest` 0 it is the coarsest unit
 * in which all are exact, such as hundredths of a GiB. Otherwise values are rounded to hundredths. Returns the unit's code; `undefined`
 * when a value is too large.
 */
function chooseSteps(known: Float64Array, finest: 0 | 1, counts: Float64Array): PrecisionStep | undefined {
  if (finest === 0) for (const step of coarseSteps) if (isExactIn(step, known, counts)) return step
  return isCountedIn(finest, known, counts) ? finest : undefined
}

function isExactIn(step: PrecisionStep, known: Float64Array, counts: Float64Array): boolean {
  for (let at = 0; at < known.length; at++) {
    const value = known[at] ?? 0
    const count = toSteps(step, value)
    if (Math.abs(count) > MOST_STEPS || fromSteps(step, count) !== value) return false
    counts[at] = count
  }
  return true
}

function isCountedIn(step: PrecisionStep, known: Float64Array, counts: Float64Array): boolean {
  for (let at = 0; at < known.length; at++) {
    const count = toSteps(step, known[at] ?? 0)
    if (Math.abs(count) > MOST_STEPS) return false
    counts[at] = count
  }
  return true
}

/**
 * Returns the greatest common divisor of the first `length` whole numbers in the array `counts`. At least one of them must not be 0. The
 * values of a history series are stored divided by it.
 */
function commonFactor(counts: Float64Array, length: number): number {
  let factor = 0
  for (let at = 0; at < length; at++) {
    let other = Math.abs(counts[at] ?? 0)
    while (other !== 0) [factor, other] = [other, factor % other]
    if (factor === 1) return 1
  }
  return factor
}

/**
 * Writes the lengths of alternating runs of known and unknown values of a history series, known first. The last length is omitted, because
 * it follows from the total length.
 */
function writeRuns(writer: ByteWriter, values: Float64Array): void {
  const runs: number[] = []
  let there = true
  let from = 0
  for (const [at, value] of values.entries()) {
    if (Number.isNaN(value) !== there) continue
    runs.push(at - from)
    there = !there
    from = at
  }
  writer.integer(runs.length)
  for (const run of runs) writer.integer(run)
}

/**
 * Reads the lengths of the alternating runs of known and unknown values in an encoded history series of `length` values. Returns the
 * indexes of the known values, from 0, ascending.
 */
function readRuns(reader: ByteReader, length: number): readonly number[] {
  const places: number[] = []
  const count = reader.count(1)
  let at = 0
  let there = true
  const take = (run: number): void => {
    if (run > length - at) throw new DamagedBytesError('a column is longer than its block')
    if (there) for (let place = at; place < at + run; place++) places.push(place)
    at += run
    there = !there
  }
  for (let run = 0; run < count; run++) take(reader.integer())
  take(length - at)
  return places
}
