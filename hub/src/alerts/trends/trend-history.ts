import type { History } from '../../history/model/history.ts'
import { bucketMs, type Tier, type Window } from '../../history/model/tier.ts'
import type { LevelKind } from '../judging/alert-kinds.ts'
import type { Readings } from '../judging/judgement.ts'
import { readingsOf } from '../rules/readings-memory.ts'
import { DAY_RANGE_MS, fillForecast, WEEK_RANGE_MS } from './fill-forecast.ts'
import { growthRate, LEAST_RATE_VALUES, type SeriesPoint } from './slope.ts'
import type { TargetTrend } from './trend-judgement.ts'

const MINUTE_MS = 60_000
/**
 * Tolerance in ms (10 s) for the time range of a rate of change, because polls are not exactly one minute apart. A sample up to 10 s older
 * than the range still counts.
 */
const SLACK_MS = 10_000
/**
 * Maximum age in ms (150 s) of the newest sample for computing a rate of change. If it is older, two samples are missing and the rate is
 * unknown.
 */
const RECENT_MS = 150_000
/** Minimum share of the minutes over which a rate of change is computed that must have a value: 5/6. */
const COVERAGE = 1 / 1.2

/**
 * Stored values of one alert kind on one system: a map from the tiers (resolutions `1m`, `10m`, `2h`) that its trend needs to values. Times
 * are middles of buckets, for `1m` those of samples.
 */
export type TrendHistory = Readonly<Partial<Record<Tier, Readings>>>

/**
 * Returns the tiers (resolutions) of the history that an alert kind's forecast or rate needs, each with the length of its time range in ms.
 * `minutes` of the rule count only for a rate.
 */
export const rangesOf = ({ trend }: LevelKind, minutes: number): readonly (readonly [tier: Tier, rangeMs: number])[] =>
  trend === 'rate'
    ? [['1m', Math.max(minutes, LEAST_RATE_VALUES) * MINUTE_MS + RECENT_MS]]
    : [
        ['10m', DAY_RANGE_MS],
        ['2h', WEEK_RANGE_MS],
      ]

type HistoryRange = { readonly systems: readonly string[]; readonly kind: LevelKind; readonly tier: Tier; readonly window: Window }

/**
 * Reads a time range of an alert kind from the history of several systems in one tier. Resolves to a map from system id to values; a system
 * without values is absent.
 */
export async function readTrendRange(
  history: Pick<History, 'read'>,
  { systems, kind, tier, window }: HistoryRange,
): Promise<ReadonlyMap<string, Readings>> {
  const isWanted = (key: string): boolean => kind.targetOf(key) !== undefined
  const found = await history.read({ systems, kind: 'system', tier, window, isWanted })
  const middleMs = tier === '1m' ? 0 : bucketMs[tier] / 2
  return new Map(
    found.map(({ system, table }) => {
      const { times, targets } = readingsOf(kind, table)
      return [system, { times: Array.from(times, (time) => time + middleMs), targets }]
    }),
  )
}

/**
 * Returns the forecast or rate of change of each target of an alert kind at `nowMs` (epoch ms), from stored values up to then. `minutes`:
 * time range of a rate. Targets whose trend is unknown are left out.
 */
export function trendsAt(
  kind: LevelKind,
  stored: TrendHistory,
  at: { readonly nowMs: number; readonly minutes: number },
): readonly TargetTrend[] {
  return kind.trend === 'rate' ? ratesAt(stored, at) : forecastsAt(stored, at.nowMs)
}

function forecastsAt({ '10m': tens = none, '2h': hours = none }: TrendHistory, nowMs: number): readonly TargetTrend[] {
  return [...tens.targets.keys()].flatMap((target) => {
    const history = {
      day: pointsIn(tens, target, { fromMs: nowMs - DAY_RANGE_MS, toMs: nowMs }),
      week: pointsIn(hours, target, { fromMs: nowMs - WEEK_RANGE_MS, toMs: nowMs }),
    }
    const forecast = fillForecast(history, nowMs)
    return forecast === undefined ? [] : [{ target, forecast }]
  })
}

function ratesAt({ '1m': samples = none }: TrendHistory, at: { readonly nowMs: number; readonly minutes: number }): readonly TargetTrend[] {
  const minutes = Math.max(at.minutes, LEAST_RATE_VALUES)
  return [...samples.targets.keys()].flatMap((target) => {
    const recent = pointsIn(samples, target, { fromMs: at.nowMs - minutes * MINUTE_MS - RECENT_MS, toMs: at.nowMs })
    const lastMs = recent.at(-1)?.atMs ?? 0
    const points = recent.filter(({ atMs }) => atMs >= lastMs - minutes * MINUTE_MS - SLACK_MS)
    const isCovered = lastMs - (points[0]?.atMs ?? 0) >= minutes * MINUTE_MS * COVERAGE && points.length >= minutes * COVERAGE
    if (lastMs < at.nowMs - RECENT_MS || !isCovered) return []
    const rate = growthRate(points)
    return rate === undefined ? [] : [{ target, rate }]
  })
}

const none: Readings = { times: [], targets: new Map() }

/** Returns the known values of a target in a time range, `fromMs` (exclusive) to `toMs` (inclusive), in ascending time. */
function pointsIn({ times, targets }: Readings, target: string, { fromMs, toMs }: Window): readonly SeriesPoint[] {
  const values = targets.get(target)
  const points: SeriesPoint[] = []
  for (let at = firstAfter(times, fromMs); at < times.length; at++) {
    const [atMs, value] = [times[at] ?? 0, values?.[at] ?? Number.NaN]
    if (atMs > toMs) break
    if (Number.isFinite(value)) points.push({ atMs, value })
  }
  return points
}

/** Returns the index of the first time later than `afterMs` (epoch ms) in an ascending list; the length of the list if there is none. */
function firstAfter(times: ArrayLike<number>, afterMs: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= afterMs) low = middle + 1
    else high = middle
  }
  return low
}
