import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { judgementOf, relatedFor } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import { labelsIn } from '../../records/filter/label-test.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { AlertRule, SystemRules } from '../judging/judgement.ts'
import { effectiveRules, ruleKey } from './effective-rules.ts'
import { inheritedRule } from './inherited-alerts.ts'
import { policyOf, type Policy } from './policy.ts'

/**
 * In-memory cache of the alert rules that users' policies set, for systems that those users may view. Committed changes make it outdated;
 * `prepare` recomputes it.
 */
export type PolicyRules = {
  /** Map from policy id to policy: all alert policies of all users. The map is live: it follows committed changes. */
  readonly policies: ReadonlyMap<string, Policy>
  /**
   * Map from system id to the alert rules that policies set there, as of the last `prepare`. Systems without such rules are absent. The map
   * is live: `prepare` changes it.
   */
  readonly bySystem: ReadonlyMap<string, readonly AlertRule[]>
  /**
   * Recomputes the policy rules of these systems (records) if policies, access or tags have changed. Resolves to the ids of those systems
   * that were recomputed. `unit`: transaction to read in; `undefined`: none.
   */
  readonly prepare: (unit: UnitOfWork | undefined, systems: readonly StoredRecord[]) => Promise<readonly string[]>
  /** Removes the alert rules that policies set on a deleted system (by id) from the cache. */
  readonly forget: (system: string) => void
  readonly close: () => void
}

type Parts = { readonly engine: Engine; readonly bus: EventBus; readonly log: Log }

/** Loads all alert policies and creates the in-memory cache of the rules that they set. `prepare` recomputes it after change events. */
export async function loadPolicyRules({ engine, bus, log }: Parts): Promise<PolicyRules> {
  const { store } = engine
  const policies = new Map<string, Policy>()
  const bySystem = new Map<string, readonly AlertRule[]>()
  /**
   * Map from system id to a text of the tags and users from which its cached rules were computed. A system whose rules are outdated is
   * absent, or has another text.
   */
  const prepared = new Map<string, string>()
  /**
   * Count of changes of policies and access since the start. `prepare` compares it to find out that such a change happened during its
   * computation, which it then repeats later.
   */
  let changes = 0

  function startOver(): void {
    changes += 1
    prepared.clear()
  }

  function onEvent({ collection, action, record, previous }: RecordEvent): void {
    if (collection === 'alert_policies') {
      if (action === 'delete') policies.delete(record.id)
      else policies.set(record.id, policyOf(record))
      startOver()
    } else if (policies.size > 0 && (action !== 'update' || previous === undefined || hasOtherAccess(previous, record))) startOver()
  }

  async function rulesFor(
    unit: UnitOfWork | undefined,
    systems: readonly StoredRecord[],
  ): Promise<ReadonlyMap<string, readonly AlertRule[]>> {
    const found = new Map<string, AlertRule[]>(systems.map(({ id }) => [id, []]))
    for (const [owner, theirs] of Map.groupBy(policies.values(), (policy) => policy.owner)) {
      // The policies of an account that cannot be read do nothing. They must not cost other people a sample.
      const visible = await whereReadable(
        () => visibleTo(unit, owner, systems),
        (error) => log.error('account not read', { account: owner, error }),
      )
      for (const system of visible ?? []) {
        const rules = effectiveRules(theirs, { id: system.id, tags: labelsIn(system['accessTags']) })
        found.get(system.id)?.push(...rules.filter(({ isOff }) => !isOff).map((rule) => inheritedRule(rule, system.id)))
      }
    }
    return found
  }

  async function visibleTo(
    unit: UnitOfWork | undefined,
    owner: string,
    systems: readonly StoredRecord[],
  ): Promise<readonly StoredRecord[]> {
    const actor = await store.load('users', owner, unit)
    const collection = engine.collections.find('systems')
    if (actor === undefined || collection === undefined) return []
    const facts = { actor, context: 'default', method: 'GET', query: {}, headers: {} } as const
    const may = await judgementOf(engine, { collection, rule: 'view', facts })(systems, relatedFor(engine, facts, unit))
    return systems.filter((_, at) => may[at] === true)
  }

  async function prepare(unit: UnitOfWork | undefined, systems: readonly StoredRecord[]): Promise<readonly string[]> {
    const stale = systems.filter((system) => prepared.get(system.id) !== reachOf(system))
    if (stale.length === 0) return []
    const before = changes
    const found = await rulesFor(unit, stale)
    for (const system of stale) {
      const rules = found.get(system.id) ?? []
      if (rules.length > 0) bySystem.set(system.id, rules)
      else bySystem.delete(system.id)
      if (changes === before) prepared.set(system.id, reachOf(system))
    }
    return stale.map(({ id }) => id)
  }

  const close = bus.subscribe(['alert_policies', 'users'], onEvent)
  for (const record of await store.loadWhere('alert_policies', {})) policies.set(record.id, policyOf(record))
  if (policies.size > 0) await prepare(undefined, await store.loadWhere('systems', {}))
  return {
    policies,
    bySystem,
    prepare,
    forget(system) {
      prepared.delete(system)
      bySystem.delete(system)
    },
    close,
  }
}

const reachOf = ({ users = null, accessTags = null }: StoredRecord): string => JSON.stringify([users, accessTags])

const hasOtherAccess = (one: StoredRecord, other: StoredRecord): boolean =>
  (['role', 'viewTags'] as const).some((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]))

/**
 * Adds rules of policies to a system's stored alerts, and returns all rules by alert kind. A stored alert replaces a policy's rule of the
 * same owner, kind and target.
 */
export function withInherited(own: SystemRules, inherited: readonly AlertRule[]): SystemRules {
  const stored = new Set([...own.values()].flat().map(ruleKey))
  const rules = new Map(own)
  for (const rule of inherited) if (!stored.has(ruleKey(rule))) rules.set(rule.name, [...(rules.get(rule.name) ?? []), rule])
  return rules
}
