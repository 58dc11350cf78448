import type { Reading } from './alert-kinds.ts'

/** Readings over time. `times` ascend, epoch milliseconds; each target has one value for each time, NaN if unknown. */
export type Readings = { readonly times: ArrayLike<number>; readonly targets: ReadonlyMap<string, ArrayLike<number>> }

const MINUTE_MS = 60_000
/** Polls come once a minute, but not to the millisecond. */
const SLACK_MS = 10_000
/** The share of the minutes that must have a value. With fewer, the average is unknown. */
const COVERAGE = 1 / 1.2

export type Direction = 'above' | 'below'

/** A value and its target. */
export type Extreme = { readonly value: number; readonly target: string }

type AverageQuery = {
  readonly minutes: number
  readonly direction: Direction
  /** Index of the last reading that counts. Its time is "now". */ readonly at: number
}

/**
 * The average over the last minutes, for the target where it is most extreme. Undefined if the readings do not cover all minutes, or no
 * target has values for most of them.
 */
export function averageOver(readings: Readings, asked: AverageQuery): Extreme | undefined {
  const first = firstOf(readings.times, asked)
  if (first === undefined) return undefined
  let most: Extreme | undefined
  for (const [target, values] of readings.targets) {
    let sum = 0
    let count = 0
    for (let place = first; place <= asked.at; place++) {
      const value = values[place] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      count += 1
    }
    if (count > 0 && count >= asked.minutes * COVERAGE) most = moreExtreme(most, { target, value: sum / count }, asked.direction)
  }
  return most
}

/** Index of the first reading that counts; undefined if the readings do not reach back far enough. */
function firstOf(times: ArrayLike<number>, { minutes, at }: AverageQuery): number | undefined {
  const fromMs = (times[at] ?? 0) - minutes * MINUTE_MS + SLACK_MS
  let first = at
  while (first > 0 && (times[first - 1] ?? 0) >= fromMs) first -= 1
  return first > 0 || (times[first] ?? Number.POSITIVE_INFINITY) <= fromMs ? first : undefined
}

export function isBeyond(value: number, threshold: number, direction: Direction): boolean {
  return direction === 'above' ? value > threshold : value < threshold
}

/** The most extreme value of a reading; undefined for an empty one. */
export function extremeOf(reading: Reading, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, value] of reading) most = moreExtreme(most, { target, value }, direction)
  return most
}

/** The most extreme value at one index; undefined if all values are unknown there. */
export function extremeAt({ targets }: Readings, at: number, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, values] of targets) {
    const value = values[at] ?? Number.NaN
    if (Number.isNaN(value) || (most !== undefined && !isBeyond(value, most.value, direction))) continue
    most = { target, value }
  }
  return most
}

function moreExtreme(one: Extreme | undefined, other: Extreme, direction: Direction): Extreme {
  return one === undefined || isBeyond(other.value, one.value, direction) ? other : one
}
