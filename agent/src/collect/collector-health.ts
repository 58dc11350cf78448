import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import { present } from '@vedette/protocol/wire/present'
import type { CollectorReport } from './collector.ts'

/** Number of consecutive readings over the timeout, 3, after which a collector (reader of one kind of metric) is paused. */
const OVERRUNS_BEFORE_REST = 3
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 600_000

/**
 * Health of one collector (reader of one kind of metric). It has outcome and duration in ms of the last reading, its error if it failed,
 * and the time of the last good one. It also has the number of overruns and the end of a pause. Times are monotonic, in ms.
 */
export type CollectorHealth = {
  /**
   * Outcome of the collector's last reading: `value`, `failed` with an error, or `missing` (this machine has nothing to read). Absent
   * before the first reading.
   */
  readonly outcome?: 'value' | 'missing' | 'failed'
  readonly lastGoodAtMs?: number
  readonly lastCostMs?: number
  readonly lastError?: string
  /**
   * Number of consecutive latest readings of the collector that took longer than its timeout; after 3, it is paused. 0 after a reading in
   * time, even a failed one.
   */
  readonly overruns: number
  readonly restsUntilMs?: number
}

export type CollectorOutcome =
  | { readonly kind: 'value' | 'missing'; readonly atMs: number; readonly costMs: number }
  | { readonly kind: 'failed' | 'overran'; readonly atMs: number; readonly costMs: number; readonly error: string }

export const unknownHealth: CollectorHealth = { overruns: 0 }

/**
 * Returns the health of a collector (reader of one kind of metric) after one more reading with the outcome `ended`. After 3 timeouts in a
 * row, the collector is paused for 1 min, then twice as long after each further timeout, at most 10 min. Other failures and good readings
 * end the row.
 */
export function afterReading(health: CollectorHealth, ended: CollectorOutcome): CollectorHealth {
  if (!('error' in ended)) {
    return { outcome: ended.kind, lastGoodAtMs: ended.atMs, lastCostMs: ended.costMs, overruns: 0 }
  }
  const overruns = ended.kind === 'overran' ? health.overruns + 1 : 0
  const further = overruns - OVERRUNS_BEFORE_REST
  const restMs = further < 0 ? undefined : Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(further, 10))
  return present<CollectorHealth>({
    outcome: 'failed',
    lastGoodAtMs: health.lastGoodAtMs,
    lastCostMs: ended.costMs,
    lastError: ended.error,
    overruns,
    restsUntilMs: restMs === undefined ? undefined : ended.atMs + restMs,
  })
}

export const isResting = ({ restsUntilMs }: CollectorHealth, nowMs: number): boolean => restsUntilMs !== undefined && nowMs < restsUntilMs

export function toFinding(name: string, health: CollectorHealth, report: CollectorReport, nowMs: number): Finding {
  return present<Finding>({
    name,
    state: health.outcome === 'failed' ? 'failing' : health.outcome === 'value' ? 'works' : 'absent',
    found: report.found,
    skipped: report.skipped ?? [],
    error: health.lastError,
    remedy: report.remedy,
    costMs: health.lastCostMs === undefined ? undefined : Math.round(health.lastCostMs * 100) / 100,
    ageMs: health.lastGoodAtMs === undefined ? undefined : Math.max(0, Math.round(nowMs - health.lastGoodAtMs)),
  })
}
