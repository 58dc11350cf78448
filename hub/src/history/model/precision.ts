import { unitOf, type SeriesKey, type SeriesUnit } from '@vedette/protocol/metrics/series'
import { GIBIBYTE, MEBIBYTE } from '@vedette/protocol/wire/units'

/**
 * How a series is kept: as whole numbers of some step. The number of a step is part of the stored form and never changes
 * its meaning.
 */
export type Step = 0 | 1 | 2 | 3

/** How many steps a value is: whole numbers, hundredths, and what agents round sizes to, hundredths of a gibibyte and of a mebibyte. */
export function toSteps(step: Step, value: number): number {
  // Adding 0 makes 0 of −0.
  if (step === 0) return Math.round(value) + 0
  if (step === 1) return Math.round(value * 100) + 0
  return Math.round((value / (step === 2 ? GIBIBYTE : MEBIBYTE)) * 100)
}

export function fromSteps(step: Step, count: number): number {
  if (step === 0) return count
  if (step === 1) return count / 100
  return Math.round((count / 100) * (step === 2 ? GIBIBYTE : MEBIBYTE))
}

/** The largest magnitude in steps; beyond it differences would no longer be exact. */
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

/** The scale of a series: the steps that any of its values is exact in, once rounded to it. */
export const finestStep = (key: SeriesKey): 0 | 1 => finest[unitOf(key)]

/** A value at its series' scale: whole for bytes and counts, two decimals for everything else. */
export function rounded(step: 0 | 1, value: number): number {
  const count = toSteps(step, value)
  return Math.abs(count) > MOST_STEPS ? value : fromSteps(step, count)
}

/** Takes the error of a sum of hundredths away, also beyond {@link MOST_STEPS}, where an average is kept as it is. */
export function nearestHundredth(value: number): number {
  const count = Math.round(value * 100) + 0
  return Math.abs(count) > Number.MAX_SAFE_INTEGER ? value : count / 100
}

/** Coarse steps that sizes are often exact in; few steps are few bytes. */
export const coarseSteps = [2, 3] as const

export function isStep(value: number): value is Step {
  return value >= 0 && value <= 3
}

/** An average of numbers of bytes keeps this many binary digits: far below what anybody sees, and half the size. */
const AVERAGE_BITS = 16

/** An average, at its series' scale. */
export function roundedAverage(step: 0 | 1, value: number): number {
  if (step === 1 || Math.abs(value) < 2 ** AVERAGE_BITS) return rounded(step, value)
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - AVERAGE_BITS + 1)
  return Math.round(value / unit) * unit
}
