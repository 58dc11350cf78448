import { unitOf, type SeriesKey, type SeriesUnit } from '@vedette/protocol/metrics/series'
import { GIBIBYTE, MEBIBYTE } from '@vedette/protocol/wire/units'

/**
 * Code of the unit in which a value is stored as a whole number, such as 1 for hundredths. 0 is whole numbers, 2 hundredths of a GiB, 3
 * hundredths of a MiB. Stored data contains the codes, so they never change.
 */
export type PrecisionStep = 0 | 1 | 2 | 3

/**
 * Converts a value to a rounded number of units: 1.5 in hundredths (`step` 1) gives 150. Other codes `step`: 0 whole numbers, 2 hundredths
 * of a GiB, 3 hundredths of a MiB.
 */
export function toSteps(step: PrecisionStep, value: number): number {
  // Adding 0 turns −0 into 0.
  if (step === 0) return Math.round(value) + 0
  if (step === 1) return Math.round(value * 100) + 0
  return Math.round((value / (step === 2 ? GIBIBYTE : MEBIBYTE)) * 100)
}

export function fromSteps(step: PrecisionStep, count: number): number {
  if (step === 0) return count
  if (step === 1) return count / 100
  return Math.round((count / 100) * (step === 2 ? GIBIBYTE : MEBIBYTE))
}

/**
 * Maximum absolute value, 2^48, of a value as a whole number of its unit, such as hundredths. Differences of larger numbers may not be
 * exact, so larger values are stored as doubles.
 */
export const MOST_STEPS = 2 ** 48

const finest: Readonly<Record<SeriesUnit, 0 | 1>> = {
  percent: 1,
  celsius: 1,
  watts: 1,
  megabytes: 1,
  milliseconds: 1,
  load: 1,
  bytes: 0,
  bytesPerSecond: 0,
  rpm: 0,
  count: 0,
  code: 0,
}

/**
 * Returns how values of the series with this key are rounded: 0 to whole numbers (such as bytes), 1 to hundredths (such as percent). The
 * field in the key determines it.
 */
export const finestStep = (key: SeriesKey): 0 | 1 => finest[unitOf(key)]

/**
 * Rounds a value of a history series to whole numbers (`step` 0) or hundredths (`step` 1). A value beyond {@link MOST_STEPS} of that unit
 * is returned unchanged.
 */
export function roundToStep(step: 0 | 1, value: number): number {
  const count = toSteps(step, value)
  return Math.abs(count) > MOST_STEPS ? value : fromSteps(step, count)
}

/**
 * Rounds a sum of values in hundredths to the nearest hundredth, which removes its floating-point error. Also works beyond {@link
 * MOST_STEPS}, where averages are stored unrounded. Returns values above about 9·10^13 unchanged.
 */
export function nearestHundredth(value: number): number {
  const count = Math.round(value * 100) + 0
  return Math.abs(count) > Number.MAX_SAFE_INTEGER ? value : count / 100
}

/**
 * Codes 2 (hundredths of a GiB) and 3 (hundredths of a MiB) of the units for storing byte values, coarsest first. Encoders use the first
 * unit in which all values of a series are exact, because it then takes fewer bytes.
 */
export const coarseSteps = [2, 3] as const

export function isStep(value: number): value is PrecisionStep {
  return value >= 0 && value <= 3
}

/**
 * Number of significant bits that a stored average of whole numbers, such as bytes, keeps: 16. The error of 0.002 % is invisible, and
 * averages take half the space.
 */
const AVERAGE_BITS = 16

/**
 * Rounds an average to whole numbers (`step` 0) or hundredths (1). A whole number of 65,536 or more keeps only its 16 most significant
 * bits, because such numbers compress better.
 */
export function roundedAverage(step: 0 | 1, value: number): number {
  if (step === 1 || Math.abs(value) < 2 ** AVERAGE_BITS) return roundToStep(step, value)
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - AVERAGE_BITS + 1)
  return Math.round(value / unit) * unit
}

/** Function that rounds an average of a series in whole numbers (`step` 0) or hundredths (1). */
export type RoundAverage = (step: 0 | 1, value: number) => number
