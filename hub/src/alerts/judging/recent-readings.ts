import type { Reading } from './alert-kinds.ts'

/** What was read when: times ascending, epoch milliseconds; of each target a value a time, NaN where it is not known. */
export type Readings = { readonly times: ArrayLike<number>; readonly targets: ReadonlyMap<string, ArrayLike<number>> }

const MINUTE_MS = 60_000
/** Polls come once a minute, and not to the millisecond. */
const SLACK_MS = 10_000
/** So many of the minutes asked for must have been measured: fewer say nothing of all of them. */
const COVERAGE = 1 / 1.2

export type Direction = 'above' | 'below'

/** A value and where it is so. */
export type Extreme = { readonly value: number; readonly target: string }

type AverageQuery = {
  readonly minutes: number
  readonly direction: Direction
  /** The place of the last reading that counts; its time is "now". */ readonly at: number
}

/**
 * The average over the minutes up to a reading, of the target where it is most extreme. Undefined where too little is known:
 * readings must reach back to the first of the minutes, and of a target most of the minutes must be there.
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

/** The place of the first reading that counts; undefined where they do not reach back to the first of the minutes. */
function firstOf(times: ArrayLike<number>, { minutes, at }: AverageQuery): number | undefined {
  const fromMs = (times[at] ?? 0) - minutes * MINUTE_MS + SLACK_MS
  let first = at
  while (first > 0 && (times[first - 1] ?? 0) >= fromMs) first -= 1
  return first > 0 || (times[first] ?? Number.POSITIVE_INFINITY) <= fromMs ? first : undefined
}

export function isBeyond(value: number, threshold: number, direction: Direction): boolean {
  return direction === 'above' ? value > threshold : value < threshold
}

/** The most extreme of a reading; undefined when nothing is known. */
export function extremeOf(reading: Reading, direction: Direction): Extreme | undefined {
  let most: Extreme | undefined
  for (const [target, value] of reading) most = moreExtreme(most, { target, value }, direction)
  return most
}

/** The most extreme at one of the times; undefined when nothing was known then. */
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
