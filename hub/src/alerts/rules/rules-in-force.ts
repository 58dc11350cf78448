import type { EventBus } from '../../platform/events/event-bus.ts'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { AlertRule, SystemRules } from '../judging/judgement.ts'
import type { Policy } from '../policies/policy.ts'

/**
 * In-memory cache of all alert rules of each system: users' own alerts, which follow committed changes, and rules of policies, which
 * `prepare` recomputes.
 */
export type RulesInForce = {
  /**
   * Map from system id to the system's alert rules by alert kind. Systems without rules are absent. The map is live: own alerts follow
   * committed changes, and `prepare` recomputes rules of policies.
   */
  readonly bySystem: ReadonlyMap<string, SystemRules>
  /** Map from policy id to policy: all alert policies of all users. The map is live: it follows committed changes. */
  readonly policies: ReadonlyMap<string, Policy>
  /**
   * Map from system id to the list of those of its alert rules that come from policies. Systems without such rules are absent. The map is
   * live: `prepare` changes it.
   */
  readonly inherited: ReadonlyMap<string, readonly AlertRule[]>
  /**
   * Recomputes the alert rules that policies set on these systems (records) if policies, access or tags have changed. Resolves to the ids
   * of the systems that were recomputed.
   */
  readonly prepare: (unit: UnitOfWork, systems: readonly StoredRecord[]) => Promise<readonly string[]>
  /** Removes the cached alert rules that policies set on a deleted system (by id). */
  readonly forgetRules: (system: string) => void
  readonly close: () => void
}

/** Dependencies of the cache of alert rules: engine, event bus, log, and a function to call when rules change. */
export type RuleParts = {
  readonly engine: Engine
  readonly bus: EventBus
  readonly log: Log
  /** Function to call with the ids of systems whose alert rules have changed. It loads the past values for the rules' averages. */
  readonly onChanged: (systems: readonly string[]) => void
}
