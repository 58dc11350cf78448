import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { ruleOf, type AlertRule, type SystemRules } from '../judging/judgement.ts'
import { ruleKey } from '../policies/effective-rules.ts'
import { loadPolicyRules } from '../policies/policy-rules.ts'

/** Alert rules in force on each system: users' own alerts and those that policies set, from an in-memory copy that follows changes. */
export type RulesInForce = {
  readonly of: (system: string) => SystemRules
  /** Returns the ids of all systems that have rules. */
  readonly systems: () => readonly string[]
  /** Prepares the rules that policies set on systems. Resolves to the ids of the systems whose rules may have changed. */
  readonly prepare: (unit: UnitOfWork, systems: readonly StoredRecord[]) => Promise<readonly string[]>
  readonly close: () => void
}

type Parts = {
  readonly engine: Engine
  readonly bus: EventBus
  readonly log: Log
  /** Called with the ids of systems whose rules now need other past values. */
  readonly onChanged: (systems: readonly string[]) => void
}

const none: SystemRules = new Map()

/** Loads all alert rules into a cache that follows their changes. */
export async function loadRulesInForce({ engine, bus, log, onChanged }: Parts): Promise<RulesInForce> {
  const byId = new Map<string, AlertRule>()
  const bySystem = new Map<string, Map<string, AlertRule[]>>()
  /** Map from a system's id to its stored alerts together with the rules of policies, as long as neither changes. */
  const together = new Map<string, { readonly policies: readonly AlertRule[]; readonly rules: SystemRules }>()
  const policies = await loadPolicyRules({ engine, bus, log })

  function put(rule: AlertRule): void {
    byId.set(rule.id, rule)
    together.delete(rule.system)
    let rules = bySystem.get(rule.system)
    if (rules === undefined) bySystem.set(rule.system, (rules = new Map()))
    rules.set(rule.name, [...(rules.get(rule.name) ?? []).filter(({ id }) => id !== rule.id), rule])
  }

  function drop(id: string): AlertRule | undefined {
    const rule = byId.get(id)
    if (rule === undefined) return undefined
    byId.delete(id)
    together.delete(rule.system)
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
    // The values for a policy's rule are loaded already.
    if ((next ?? previous)?.isInherited === true) return
    if (previous !== undefined && previous.system !== next?.system) onChanged([previous.system])
    if (next !== undefined && (previous === undefined || needsOtherReadings(previous, next))) onChanged([next.system])
  }

  function of(system: string): SystemRules {
    const own = bySystem.get(system) ?? none
    const inherited = policies.of(system)
    if (inherited.length === 0) return own
    const known = together.get(system)
    if (known?.policies === inherited) return known.rules
    const rules = withInherited(own, inherited)
    together.set(system, { policies: inherited, rules })
    return rules
  }

  const close = bus.subscribe(['alerts'], onEvent)
  for (const record of await engine.store.loadWhere('alerts', {})) put(ruleOf(record))
  return {
    of,
    systems: () => [...new Set([...bySystem.keys(), ...policies.systems()])].filter((system) => of(system).size > 0),
    async prepare(unit, systems) {
      const prepared = await policies.prepare(unit, systems)
      const needing = prepared.filter((system) => policies.of(system).length > 0)
      if (needing.length > 0) onChanged(needing)
      return prepared
    },
    close() {
      close()
      policies.close()
    },
  }
}

/** Returns a system's stored alerts together with the rules of policies. A stored alert of the same owner, kind and target is nearer. */
function withInherited(own: SystemRules, inherited: readonly AlertRule[]): SystemRules {
  const stored = new Set([...own.values()].flat().map(ruleKey))
  const rules = new Map(own)
  for (const rule of inherited) if (!stored.has(ruleKey(rule))) rules.set(rule.name, [...(rules.get(rule.name) ?? []), rule])
  return rules
}

const needsOtherReadings = (one: AlertRule, other: AlertRule): boolean =>
  one.system !== other.system || one.name !== other.name || one.target !== other.target || one.minutes !== other.minutes
