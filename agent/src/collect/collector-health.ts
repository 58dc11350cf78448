import type { Finding } from '@vedette/protocol/metrics/diagnosis'
import { present } from '@vedette/protocol/wire/present'
import type { CollectorReport } from './collector.ts'

/** After so many readings in a row that took too long, a collector rests. */
const OVERRUNS_BEFORE_REST = 3
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 600_000

/** Health of one collector over all consumers. */
export type CollectorHealth = {
  /** `missing`: there is no such thing here. */
  readonly outcome?: 'value' | 'missing' | 'failed'
  readonly lastGoodAtMs?: number
  readonly lastCostMs?: number
  readonly lastError?: string
  /** Readings in a row that took longer than they may. */
  readonly overruns: number
  readonly restsUntilMs?: number
}

export type Ended =
  | { readonly kind: 'value' | 'missing'; readonly atMs: number; readonly costMs: number }
  | { readonly kind: 'failed' | 'overran'; readonly atMs: number; readonly costMs: number; readonly error: string }

export const unknownHealth: CollectorHealth = { overruns: 0 }

/**
 * The health after one more reading. A quick failure costs nothing, so the collector is tried again each time. One that overruns
 * its deadline repeatedly delays every sample, so it is paused, longer each time, until a good reading.
 */
export function afterReading(health: CollectorHealth, ended: Ended): CollectorHealth {
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
