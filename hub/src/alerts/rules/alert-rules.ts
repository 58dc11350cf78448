import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { ruleOf, type AlertRule } from '../judging/alert-rule.ts'

/** The alert rules of one system, by alert name. */
export type SystemRules = ReadonlyMap<string, readonly AlertRule[]>

/** Cache of all alert rules by system, as of the last commit. Every sample is judged by them. */
export type AlertRules = {
  readonly of: (system: string) => SystemRules
  readonly all: () => readonly AlertRule[]
  readonly close: () => void
}

const none: SystemRules = new Map()

/** Loads all rules and follows their changes. `onChanged` is called with a system whose alerts changed. */
export async function alertRules(records: RecordStore, bus: EventBus, onChanged: (system: string) => void): Promise<AlertRules> {
  const byId = new Map<string, AlertRule>()
  const bySystem = new Map<string, Map<string, AlertRule[]>>()

  function put(rule: AlertRule): void {
    byId.set(rule.id, rule)
    let rules = bySystem.get(rule.system)
    if (rules === undefined) bySystem.set(rule.system, (rules = new Map()))
    rules.set(rule.name, [...(rules.get(rule.name) ?? []).filter(({ id }) => id !== rule.id), rule])
  }

  function drop(id: string): AlertRule | undefined {
    const rule = byId.get(id)
    if (rule === undefined) return undefined
    byId.delete(id)
    const rules = bySystem.get(rule.system)
    const rest = (rules?.get(rule.name) ?? []).filter((one) => one.id !== id)
    if (rest.length > 0) rules?.set(rule.name, rest)
    else rules?.delete(rule.name)
    if (rules?.size === 0) bySystem.delete(rule.system)
    return rule
  }

  function onEvent({ action, record }: RecordEvent): void {
    const previous = drop(record.id)
    const next = action === 'delete' ? undefined : ruleOf(record)
    if (next !== undefined) put(next)
    if (previous !== undefined && previous.system !== next?.system) onChanged(previous.system)
    if (next !== undefined && (previous === undefined || isAnother(previous, next))) onChanged(next.system)
  }

  const close = bus.subscribe(['alerts'], onEvent)
  for (const record of await records.loadWhere('alerts', {})) put(ruleOf(record))
  return { of: (system) => bySystem.get(system) ?? none, all: () => [...byId.values()], close }
}

const isAnother = (one: AlertRule, other: AlertRule): boolean =>
  one.system !== other.system || one.name !== other.name || one.target !== other.target || one.minutes !== other.minutes
