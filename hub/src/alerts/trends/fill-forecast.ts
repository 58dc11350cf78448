import { medianOf, slopeOf, type SeriesPoint, type Slope } from './slope.ts'

/**
 * Estimated hours until a series in percent reaches 100. `value` follows its measured growth; `low` ≤ `value` ≤ `high` is the uncertainty
 * interval. Infinity means never; for `high` also that the end is too far away.
 */
export type FillEstimate = { readonly value: number; readonly low: number; readonly high: number }

/**
 * Forecast when a series reaches 100 %, from two time ranges of its history. `day` and `week` are absent if the range has too few values;
 * for a full series, only `day` is present. If the growth probably does not continue, `high` is Infinity.
 */
export type FillForecast = { readonly day?: FillEstimate; readonly week?: FillEstimate }

/** History of one series in percent, in ascending time. `day`: every 10 min of the last 24 h. `week`: every 2 h of the last 7 days. */
export type FillHistory = { readonly day: readonly SeriesPoint[]; readonly week: readonly SeriesPoint[] }

const HOUR_MS = 3_600_000
/**
 * Length in ms of the shorter of the two time ranges of history from which a forecast is made: 24 h. `WEEK_RANGE_MS` is the longer one, 7
 * days.
 */
export const DAY_RANGE_MS = 24 * HOUR_MS
export const WEEK_RANGE_MS = 7 * DAY_RANGE_MS
/**
 * Minimum time span, in ms, of the known values for a forecast from the last 24 hours: 6 h. For a forecast from the last 7 days,
 * `LEAST_WEEK_MS` (3 days) applies.
 */
const LEAST_DAY_MS = 6 * HOUR_MS
const LEAST_WEEK_MS = 72 * HOUR_MS
/** Maximum age in ms (2 h) of the newest 3 values of a series. If one of them is older, there is no forecast. */
const RECENT_MS = 2 * HOUR_MS
/** Number of values of a series, 3, whose median counts as its level (in percent) at a time. A single outlier so has no effect. */
const LEVEL_VALUES = 3
const FULL_PERCENT = 100
/** Level in percent, 99.5, from which a disk or memory counts as already full. Its forecast is then 0 hours. */
const ALREADY_FULL_PERCENT = 99.5
/**
 * Part of a time range, 1/7 (the last day of a week), whose growth is compared with the slope of all. With less than half of the expected
 * growth there, growth has probably stopped, and the range is not trusted.
 */
const RECENT_SHARE = 1 / 7
const LEAST_RECENT_GROWTH = 0.5
/**
 * Minimum number of falls, 3, before the last 24 h that make a series a sawtooth, as with daily log rotation. Each must be at least 60 % of
 * the growth in the last 24 h, which are then not trusted for a forecast.
 */
const SAWTOOTH_FALLS = 3
const SAWTOOTH_SHARE = 0.6
/**
 * Maximum forecast as a multiple of the time span of the values: 4.5, so 31.5 days for 7 days of values. For a later end, only the earliest
 * time (`low`) is given.
 */
const HORIZON = 4.5
/**
 * Maximum ratio, 2, of the latest (`high`) to the estimated (`value`) number of hours in a forecast. A forecast with a larger ratio counts
 * as too uncertain.
 */
const MOST_UNCERTAINTY = 2

/**
 * Forecasts when a series in percent reaches 100 %. `undefined` when its current level is unknown, because it has no 3 values in the last 2
 * h. Values in the future, as after a clock was set back, do not count.
 */
export function fillForecast(history: FillHistory, nowMs: number): FillForecast | undefined {
  const day = valuesIn(history.day, nowMs - DAY_RANGE_MS, nowMs)
  const week = valuesIn(history.week, nowMs - WEEK_RANGE_MS, nowMs)
  const newest = day.slice(-LEVEL_VALUES)
  if (newest.length < LEVEL_VALUES || (newest[0]?.atMs ?? 0) < nowMs - RECENT_MS) return undefined
  const level = medianOf(newest.map(({ value }) => value))
  const levelMs = medianOf(newest.map(({ atMs }) => atMs))
  if (level >= ALREADY_FULL_PERCENT) return { day: full }
  const toHours = (points: readonly SeriesPoint[], slope: Slope | undefined): FillEstimate | undefined =>
    slope === undefined ? undefined : estimateOf({ slope, room: FULL_PERCENT - level, passedHours: (nowMs - levelMs) / HOUR_MS, points })
  const dayEstimate = toHours(day, trusted(day, { leastMs: LEAST_DAY_MS, before: week }))
  const weekEstimate = toHours(week, trusted(week, { leastMs: LEAST_WEEK_MS, before: [] }))
  return { ...(dayEstimate && { day: dayEstimate }), ...(weekEstimate && { week: weekEstimate }) }
}

const full: FillEstimate = { value: 0, low: 0, high: 0 }

const valuesIn = (points: readonly SeriesPoint[], fromMs: number, toMs: number): readonly SeriesPoint[] =>
  points.filter(({ atMs, value }) => atMs > fromMs && atMs <= toMs && Number.isFinite(value))

type TrustRules = { readonly leastMs: number; readonly before: readonly SeriesPoint[] }

/**
 * Returns the growth of a time range with its uncertainty interval. If the growth probably does not continue, the interval is widened down
 * to 0. `undefined` without enough values.
 */
function trusted(points: readonly SeriesPoint[], { leastMs, before }: TrustRules): Slope | undefined {
  const fromMs = points[0]?.atMs ?? 0
  const spanMs = (points.at(-1)?.atMs ?? 0) - fromMs
  if (spanMs < leastMs) return undefined
  const slope = slopeOf(points)
  if (slope === undefined || slope.value <= 0) return slope
  const rise = (slope.value * spanMs) / HOUR_MS
  const earlier = before.filter(({ atMs }) => atMs < fromMs)
  return grewLately(points, slope.value) && countFalls(earlier, rise * SAWTOOTH_SHARE) < SAWTOOTH_FALLS
    ? slope
    : { ...slope, low: Math.min(0, slope.low) }
}

function grewLately(points: readonly SeriesPoint[], slope: number): boolean {
  const lastMs = points.at(-1)?.atMs ?? 0
  const recentMs = (lastMs - (points[0]?.atMs ?? 0)) * RECENT_SHARE
  // The week has a value every 2 h, so both levels are a whole day apart: growth at one time of the day counts once.
  const end = points.findLastIndex(({ atMs }) => atMs <= lastMs - recentMs) + 1
  const middle = (some: readonly SeriesPoint[]): number => medianOf(some.map(({ value }) => value))
  const [last, first] = [points.slice(-LEVEL_VALUES), points.slice(Math.max(0, end - LEVEL_VALUES), end)]
  return middle(last) - middle(first) >= (LEAST_RECENT_GROWTH * slope * recentMs) / HOUR_MS
}

/** Returns how often a series fell by at least `size`. Each fall is measured from the highest value since the previous one. */
function countFalls(points: readonly SeriesPoint[], size: number): number {
  let falls = 0
  let highest = Number.NEGATIVE_INFINITY
  for (const { value } of points) {
    if (highest - value >= size) {
      falls += 1
      highest = value
    }
    highest = Math.max(highest, value)
  }
  return falls
}

type Extrapolation = {
  readonly slope: Slope
  /** Percentage points that are left until the forecast usage is full: 100 minus the current level, such as 12 at 88 %. */
  readonly room: number
  /** Age of the current level, in hours, which is subtracted from the forecast. */
  readonly passedHours: number
  readonly points: readonly SeriesPoint[]
}

function estimateOf({ slope, room, passedHours, points }: Extrapolation): FillEstimate {
  const horizonHours = (((points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)) / HOUR_MS) * HORIZON
  const hoursAt = (growth: number): number => (growth <= 0 ? Number.POSITIVE_INFINITY : Math.max(0, room / growth - passedHours))
  const value = hoursAt(slope.value)
  // Beyond the horizon only the earliest time means something.
  return { value, low: hoursAt(slope.high), high: value > horizonHours ? Number.POSITIVE_INFINITY : hoursAt(slope.low) }
}

/**
 * Verdict of a forecast against a limit in hours. `beyond`: the disk or memory is full before the limit; `within`: not before it;
 * `unknown`: too uncertain.
 */
export type FillVerdict = { readonly side: 'beyond' | 'within' | 'unknown'; readonly estimate?: FillEstimate }

/**
 * Compares the forecasts from day and week with a limit in hours, and returns the verdict with the deciding estimate. `beyond` if one of
 * them is so with enough certainty. Otherwise the day decides, or the week without a day. A firing alert is also `within` if either says
 * that growth may have ended.
 */
export function judgeFill({ day, week }: FillForecast, limitHours: number, isFiring = false): FillVerdict {
  const sideOf = (estimate: FillEstimate) => {
    const side = sideOfFill(estimate, limitHours)
    return isFiring && side === 'unknown' && mayHaveEnded(estimate, limitHours) ? 'within' : side
  }
  const verdicts = [day, week].flatMap((estimate) => (estimate === undefined ? [] : [{ side: sideOf(estimate), estimate }]))
  const beyond = verdicts.filter(({ side }) => side === 'beyond')
  if (beyond.length > 0) return beyond.reduce((one, other) => (other.estimate.value < one.estimate.value ? other : one))
  return (isFiring ? verdicts.find(({ side }) => side === 'within') : undefined) ?? verdicts[0] ?? { side: 'unknown' }
}

const mayHaveEnded = ({ value, high }: FillEstimate, limitHours: number): boolean => value > limitHours || high === Number.POSITIVE_INFINITY

function sideOfFill({ value, low, high }: FillEstimate, limitHours: number): FillVerdict['side'] {
  if (low >= limitHours) return 'within'
  if (value === Number.POSITIVE_INFINITY || high > MOST_UNCERTAINTY * value) return 'unknown'
  return value < limitHours ? 'beyond' : 'within'
}
