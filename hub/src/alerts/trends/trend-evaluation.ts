import type { Kysely } from 'kysely'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { History } from '../../history/model/history.ts'
import type { Tables } from '../../platform/db/schema.ts'
import type { LevelKind } from '../judging/alert-kinds.ts'
import type { AlertRule, Readings } from '../judging/judgement.ts'
import { longestMinutes } from '../rules/readings-memory.ts'
import type { TrendEvent } from '../rules/alert-watch.ts'
import { readTrendRange, rangesOf, trendsAt, type TrendHistory } from './trend-history.ts'
import { judgeTrendRule } from './trend-judgement.ts'

/** Alert kind (a forecast or rate of change) and its rules, as a map from system id to list. */
export type TrendRules = { readonly kind: LevelKind; readonly bySystem: ReadonlyMap<string, readonly AlertRule[]> }

type EvaluationParts = { readonly history: Pick<History, 'read'>; readonly kysely: Kysely<Tables>; readonly nowMs: number }

/**
 * Evaluates rules on forecasts or rates of change by the stored history. Resolves to a map from system id to the events that fire, worsen
 * or resolve a rule. Systems without events are absent, also if the values are unknown.
 */
export async function evaluateTrends(
  { history, kysely, nowMs }: EvaluationParts,
  { kind, bySystem }: TrendRules,
): Promise<ReadonlyMap<string, readonly TrendEvent[]>> {
  const rules = [...bySystem.values()].flat()
  const minutes = Math.max(1, ...rules.map(longestMinutes))
  const firedBy = await loadFiringTargets(kysely, rules)
  const bySystemAndTier = new Map<string, Record<string, Readings>>()
  for (const [tier, rangeMs] of rangesOf(kind, minutes)) {
    const window = { fromMs: nowMs - rangeMs, toMs: nowMs + 1 }
    for (const [system, readings] of await readTrendRange(history, { systems: [...bySystem.keys()], kind, tier, window }))
      bySystemAndTier.set(system, { ...bySystemAndTier.get(system), [tier]: readings })
  }
  const events = new Map<string, readonly TrendEvent[]>()
  for (const [system, stored] of bySystemAndTier) {
    const found = (bySystem.get(system) ?? []).flatMap((rule) => eventsOf({ kind, rule, stored, nowMs, firedBy: firedBy.get(rule.id) }))
    if (found.length > 0) events.set(system, found)
    // Some ms of arithmetic for each system must not delay samples.
    await othersTurn()
  }
  return events
}

type RuleInput = {
  readonly kind: LevelKind
  readonly rule: AlertRule
  readonly stored: TrendHistory
  readonly nowMs: number
  readonly firedBy: string | undefined
}

function eventsOf({ kind, rule, stored, nowMs, firedBy }: RuleInput): readonly TrendEvent[] {
  const { isFiring, isWarning } = rule
  const trendsOver = (minutes: number) => trendsAt(kind, stored, { nowMs, minutes })
  const { side, isCritical, target = '', ...numbers } = judgeTrendRule(kind, trendsOver, rule, { isFiring, firedBy })
  const rises = isWarning && isCritical === true
  if (side === 'unknown' || ((side === 'beyond') === isFiring && !rises)) return []
  return [
    {
      rule,
      event: { kind: 'level', atMs: nowMs, now: side, average: side, ...(isCritical === true ? { isCritical } : {}) },
      facts: { ...numbers, ...(target === '' ? {} : { target }) },
    },
  ]
}

/**
 * Loads the targets, such as a disk, that made the firing rules fire. Resolves to a map from rule id to target; rules that do not fire are
 * absent.
 */
async function loadFiringTargets(kysely: Kysely<Tables>, rules: readonly AlertRule[]): Promise<ReadonlyMap<string, string>> {
  const firing = rules.flatMap(({ id, isFiring }) => (isFiring ? [id] : []))
  if (firing.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('incidents')
    .select(['alert', 'target'])
    .where('alert', 'in', firing)
    .where('ended', 'is', null)
    .execute()
  return new Map(rows.map(({ alert, target }) => [alert, target]))
}
