import type { LevelKind } from '../judging/alert-kinds.ts'
import { isBeyond, limitOf, type Side, type Threshold } from '../judging/judgement.ts'
import { judgeFill, type FillForecast } from './fill-forecast.ts'

/** Forecast, or rate of change in percentage points per hour, of one target of an alert (such as a disk). */
export type TargetTrend = { readonly target: string } & ({ readonly forecast: FillForecast } | { readonly rate: number })

/**
 * Result of comparing the trends of all targets with an alert's threshold: the side, and the target that decided. `value` is absent for a
 * disk that will never be full. `range` has the ends of a forecast's uncertainty interval.
 */
export type TrendJudgement = {
  readonly side: Side
  readonly target?: string
  readonly value?: number
  readonly range?: { readonly low: number; readonly high: number }
}

type TrendLimit = {
  /** Threshold that applies to the alert now, in the unit of the alert kind: for a firing alert, the one at which it resolves. */
  readonly limit: number
  /** Target by which the alert fired. Absent for an alert that does not fire, or if unknown. */
  readonly firedBy?: string | undefined
}

type RuleState = { readonly isFiring: boolean; readonly firedBy: string | undefined }

/**
 * Compares the forecasts or rates of all targets (such as disks) with an alert's threshold: while it fires, with the one at which it
 * resolves. The result has side (`beyond`, `within`, `unknown`), value and target. `isCritical` is true beyond the second of two thresholds.
 */
export function judgeTrendRule(
  kind: LevelKind,
  trendsOver: (minutes: number) => readonly TargetTrend[],
  rule: Threshold,
  { isFiring, firedBy }: RuleState,
): TrendJudgement & { readonly isCritical?: true } {
  const first = trendsOver((rule.warning ?? rule).minutes)
  const judged = judgeTrends(kind, first, { limit: limitOf(rule, isFiring), firedBy: isFiring ? firedBy : undefined })
  const second = rule.warning === undefined ? undefined : judgeTrends(kind, trendsOver(rule.minutes), { limit: rule.threshold })
  return second?.side === 'beyond' ? { ...second, isCritical: true } : judged
}

/**
 * Compares the forecasts or rates of all targets with a threshold. A target beyond it decides first, then the target by which the alert
 * fired (`firedBy`). Without that, one target within it is enough for `within`.
 */
export function judgeTrends(kind: LevelKind, trends: readonly TargetTrend[], { limit, firedBy }: TrendLimit): TrendJudgement {
  const judged = trends.map((trend) => judgeOne(kind, trend, { limit, firedBy }))
  const beyond = judged.filter(({ side }) => side === 'beyond')
  const within = judged.filter(({ side }) => side === 'within')
  if (beyond.length > 0) return mostExtreme(kind, beyond)
  const fired = judged.find(({ target }) => target === firedBy)
  if (fired !== undefined) return fired
  return within.length > 0 ? mostExtreme(kind, within) : { side: 'unknown' }
}

function judgeOne(kind: LevelKind, trend: TargetTrend, { limit, firedBy }: TrendLimit): TrendJudgement {
  const { target } = trend
  if ('rate' in trend) return { target, side: isBeyond(trend.rate, limit, kind.direction) ? 'beyond' : 'within', value: trend.rate }
  const { side, estimate } = judgeFill(trend.forecast, limit, firedBy !== undefined)
  if (estimate === undefined || !Number.isFinite(estimate.value)) return { target, side }
  const { value, low, high } = estimate
  return { target, side, value, ...(Number.isFinite(high) ? { range: { low, high } } : {}) }
}

function mostExtreme({ direction }: LevelKind, judged: readonly TrendJudgement[]): TrendJudgement {
  const weakest = direction === 'above' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return judged.reduce((one, other) => (isBeyond(other.value ?? weakest, one.value ?? weakest, direction) ? other : one))
}
