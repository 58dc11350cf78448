import { conditionKind } from '../judging/alert-kinds.ts'
import type { Sample } from '@vedette/protocol/metrics/sample'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { History } from '../../history/model/history.ts'
import type { Log } from '../../platform/log.ts'
import { mayDo } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { whereReadable } from '../../records/engine/record-table-store.ts'
import {
  type AlertEvent,
  type AlertRule,
  crossing,
  isEqualLevel,
  type LevelReading,
  levelReadings,
  type SystemRules,
  transitions,
} from '../judging/judgement.ts'
import {
  loadAlert,
  applyEvent,
  type LoadedAlert,
  type TransitionContext,
  type TargetEvent,
  deleteAlertStates,
  loadDue,
  type DuePosition,
} from '../transitions/alert-transition.ts'
import { notifyWorseDrives, type StoredDrives } from '../notifications/drive-health.ts'
import { conditionChecks } from './condition-check.ts'
import { longestMinutes, readingsMemory } from './readings-memory.ts'
import { runningContainers } from './running-containers.ts'
import { createInherited, lockPolicies, refreshInherited, removeIdle } from '../policies/inherited-alerts.ts'
import { ruleOf } from '../judging/judgement.ts'
import { loadPolicyRules, withInherited } from '../policies/policy-rules.ts'
import { dueEvent, reasonOf } from './due-event.ts'
import type { RuleParts, RulesInForce } from './rules-in-force.ts'

/** Sample that a transaction stores: system id, time in epoch ms and values. `previous` is the system's record before the sample. */
export type ObservedSample = { readonly system: string; readonly atMs: number; readonly sample: Sample; readonly previous: StoredRecord }

/**
 * Event for one alert rule on a forecast or rate of change. It has the rule, an event of kind `level` (side of the threshold), and details
 * for the notification.
 */
export type TrendEvent = TargetEvent & { readonly rule: AlertRule }

export type AlertWatch = {
  /**
   * Evaluates new samples with the alert rules of their systems: fires and resolves alerts. Call it in the transaction that stores the
   * samples.
   */
  readonly observe: (unit: UnitOfWork, samples: readonly ObservedSample[]) => Promise<void>
  /**
   * Stores a notification for each user of the system when the SMART health of a drive got worse. Call it in the transaction that stores
   * the drives.
   */
  readonly observeDrives: (unit: UnitOfWork, drives: StoredDrives) => Promise<void>
  /**
   * Returns true when a sample may fire or resolve an alert of the system. Such a sample is stored at once, without waiting for a batch.
   */
  readonly isUrgent: (system: string, sample: Sample) => boolean
  /**
   * Starts the waiting time of the alerts of kind `Status` on a system, in the transaction that sets it from `up` to `down`. Does nothing
   * if it was not `up`. `reason` says in one sentence why the system is down.
   */
  readonly wentDown: (unit: UnitOfWork, previous: StoredRecord, reason: string) => Promise<void>
  /**
   * Resolves to true when at least one pending alert's waiting time is over. Call it before `decideDue`: it costs one query and no
   * transaction.
   */
  readonly hasDue: () => Promise<boolean>
  /**
   * Handles up to 100 pending alerts whose waiting time is over, earliest first: fires them if the problem lasts, else ends their wait.
   * Only systems of this hub count. Resolves to the position `after` for the next call; `undefined` if none is left.
   */
  readonly decideDue: (unit: UnitOfWork, after?: DuePosition) => Promise<DuePosition | undefined>
  /** Map from system id to the alert rules on the system, by alert kind. Systems without rules are absent. The map is live. */
  readonly rules: ReadonlyMap<string, SystemRules>
  /**
   * Applies events of forecasts and rates of change to the alerts of a system (by id), if it is `up`. Resolves to false, without changes,
   * if this hub may not decide about the system now, such as soon after a takeover. Otherwise true.
   */
  readonly decideTrends: (unit: UnitOfWork, system: string, all: readonly TrendEvent[]) => Promise<boolean>
  /**
   * Starts to reload the cached recent values of these systems (ids) from the history. Needed when this hub takes over systems whose
   * samples another hub has evaluated.
   */
  readonly recall: (systems: readonly string[]) => void
  /** Removes a deleted system's cached rules of policies and recent values (by the system's id). */
  readonly forget: (system: string) => void
  /** Resolves when all history queries have ended that `recall` started to load the recent values of systems. */
  readonly recalled: () => Promise<void>
  readonly close: () => void
}

type WatchParts = {
  readonly engine: Engine
  readonly history: Pick<History, 'read'>
  readonly bus: EventBus
  readonly log: Log
  /**
   * Function that resolves to true if this hub, and no other, evaluates the system's alerts and may fire those whose waiting time is over.
   * Absent for a single hub.
   */
  readonly decides?: ((unit: UnitOfWork, system: string) => Promise<boolean>) | undefined
}

const MINUTE_MS = 60_000
/**
 * Maximum number of pending alerts whose waiting time is over that one transaction handles: 100. The rest follow in the next one; a longer
 * transaction would delay other writers.
 */
const DECIDED_AT_ONCE = 100

/** Creates the service that evaluates samples, and systems that go down, with the alert rules of all users; resolves to its functions. */
export async function watchAlerts({ engine, history, bus, log, decides }: WatchParts): Promise<AlertWatch> {
  const { store: records, clock } = engine
  const memory = readingsMemory(history)
  const running = runningContainers(history)
  const checks = conditionChecks(running)
  const { bySystem, policies, inherited, prepare, forgetRules, close } = await loadRulesInForce({
    engine,
    bus,
    log,
    onChanged: (systems) => recall(systems),
  })

  /**
   * Returns true if any user has an alert policy, or if rules of deleted policies are still cached. The rules of systems must then be
   * updated at samples.
   */
  const hasPolicies = (): boolean => policies.size > 0 || inherited.size > 0
  const rulesOf = (system: string): SystemRules => bySystem.get(system) ?? noRules

  let recalling: Promise<void> = Promise.resolve()

  /**
   * Starts to load recent values of systems (ids) with alert rules from the history into memory; forgets those of systems without rules.
   * Averages are unknown until it ends, so alerts that need them do not fire.
   */
  function recall(systems: readonly string[]): void {
    const wanted = new Map(systems.map((system) => [system, rulesOf(system)]))
    for (const [system, of] of wanted) {
      if (of.size === 0) memory.forget(system)
      if (!watchesContainers(of)) running.forget(system)
    }
    const watching = systems.filter((system) => watchesContainers(rulesOf(system)))
    recalling = recalling
      .then(async () => {
        await memory.recall(wanted, clock.now())
        await running.recall(watching, clock.now())
      })
      .catch((error: unknown) => log.error('readings not loaded again', { error }))
  }

  async function decideAbout(unit: UnitOfWork, rule: AlertRule, ...all: readonly TargetEvent[]): Promise<void> {
    if (all.length === 0) return
    const writing = { unit, records, nowMs: clock.now() }
    const loaded = (await loadAlert(unit, records, rule.id)) ?? (await created(writing, rule, all))
    // The rule was edited meanwhile. The next sample is evaluated with the new rule.
    if (loaded === undefined || isEdited(loaded.rule, rule)) return
    const { owner } = loaded.rule
    // The alerts of an account that cannot be read stay as they are. They must not cost other people a sample.
    const isTheirs = await whereReadable(
      () => maySee(unit, owner, loaded.system),
      (error) => log.error('account not read', { account: owner, error }),
    )
    if (isTheirs === undefined) return
    for (const one of all) {
      const event: AlertEvent = isTheirs ? one.event : { kind: 'reset' }
      const change = await applyEvent(writing, loaded, { ...one, event })
      if (change !== undefined) log.info('alert', { change, name: rule.name, system: rule.system, ...one.facts })
    }
    if (loaded.rule.isInherited) await removeIdle(writing, loaded)
  }

  /**
   * Creates the alert record of a policy's rule if one of the events makes the alert pending or firing. Resolves to `undefined` if none
   * does, and for a user's own alert, whose record was deleted meanwhile.
   */
  const created = async (writing: TransitionContext, rule: AlertRule, all: readonly TargetEvent[]): Promise<LoadedAlert | undefined> =>
    rule.isInherited
      ? createInherited(
          writing,
          rule,
          all.map(({ event }) => event),
        )
      : undefined

  /**
   * Resolves to true when the alert's owner (user id) may view the system. If not, {@link watchAlerts} ends the alert without a
   * notification.
   */
  async function maySee(unit: UnitOfWork, owner: string, system: StoredRecord): Promise<boolean> {
    const actor = await records.load('users', owner, unit)
    const collection = engine.collections.find('systems')
    if (actor === undefined || collection === undefined) return false
    const facts = { actor, context: 'default', method: 'GET', query: {}, headers: {} } as const
    return mayDo(engine, { collection, rule: 'view', facts }, system, unit)
  }

  /**
   * Updates the rules that policies set on the systems of new samples, and alerts that come from them, after changes of policies, access or
   * tags. Takes the lock of policies first then, and for samples that may change an alert.
   */
  async function followPolicies(unit: UnitOfWork, samples: readonly ObservedSample[]): Promise<void> {
    const changed = await prepare(
      unit,
      samples.map(({ previous }) => previous),
    )
    if (changed.length > 0 || samples.some(({ system, sample }) => isUrgent(system, sample))) await lockPolicies(unit)
    for (const system of changed) {
      const alerts = await records.loadWhere('alerts', { system, inherited: true }, unit)
      await refreshInherited({ unit, records, nowMs: clock.now() }, alerts)
    }
  }

  function isUrgent(system: string, sample: Sample): boolean {
    const ofSystem = rulesOf(system)
    if (ofSystem.size === 0) return false
    if (levelReadings(ofSystem, sample).some((level) => level.rules.some((rule) => crossing(level, rule) !== undefined))) return true
    return [...ofSystem].some(([name, some]) => {
      const kind = conditionKind(name)
      if (kind === undefined) return name === 'Status' && some.some(({ isFiring }) => isFiring)
      return some.some((rule) => checks.isUrgent({ system, sample, atMs: clock.now(), kind, rule }))
    })
  }

  async function observeOne(unit: UnitOfWork, observed: ObservedSample): Promise<void> {
    const { system, atMs, sample, previous } = observed
    if (sample.containers !== undefined && watchesContainers(rulesOf(system))) running.note(system, sample.containers, atMs)
    for (const level of levelReadings(rulesOf(system), sample)) await observeLevel(unit, level, observed)
    for (const [name, some] of rulesOf(system)) {
      const kind = conditionKind(name)
      for (const rule of some) {
        if (kind !== undefined) await decideAbout(unit, rule, ...(await checks.eventsOf(unit, { system, sample, atMs, kind, rule })))
        else if (name === 'Status' && previous['status'] !== 'up')
          await decideAbout(unit, rule, { event: { kind: 'up', atMs: clock.now() } })
      }
    }
  }

  async function observeLevel(
    unit: UnitOfWork,
    { kind, reading, rules: some }: LevelReading,
    { system, atMs }: ObservedSample,
  ): Promise<void> {
    const minutes = Math.max(...some.map(longestMinutes))
    const readings = memory.note({ system, kind: kind.name, minutes, atMs }, reading, clock.now())
    if (readings === undefined) return
    for (const { rule, event, average } of transitions({ kind, reading, rules: some }, readings)) {
      const facts = { value: average.value, ...(average.target === '' ? {} : { target: average.target }) }
      await decideAbout(unit, rule, { event, facts })
    }
  }

  recall([...bySystem.keys()])
  return {
    async observe(unit, samples) {
      if (hasPolicies()) await followPolicies(unit, samples)
      for (const sample of samples) if (rulesOf(sample.system).size > 0) await observeOne(unit, sample)
    },
    observeDrives: (unit, drives) => notifyWorseDrives(unit, engine, drives),
    isUrgent,
    async wentDown(unit, previous, reason) {
      if (previous['status'] !== 'up') return
      if (hasPolicies()) {
        await prepare(unit, [previous])
        await lockPolicies(unit)
      }
      for (const rule of rulesOf(previous.id).get('Status') ?? [])
        await decideAbout(unit, rule, { event: { kind: 'down', atMs: clock.now(), waitMs: rule.minutes * MINUTE_MS }, facts: { reason } })
    },
    hasDue: async () => (await loadDue(engine.database.kysely, { nowMs: clock.now(), most: 1, after: undefined })).length > 0,
    async decideDue(unit, after) {
      const due = await loadDue(unit.sql, { nowMs: clock.now(), most: DECIDED_AT_ONCE, after })
      for (const { alert: id } of due) {
        const loaded = await loadAlert(unit, records, id)
        if (loaded === undefined) await deleteAlertStates(unit, id)
        else if (decides === undefined || (await decides(unit, loaded.system.id)))
          await decideAbout(unit, loaded.rule, { event: dueEvent(loaded.system, clock.now()), facts: reasonOf(loaded.system) })
      }
      return due.length === DECIDED_AT_ONCE ? due.at(-1) : undefined
    },
    rules: bySystem,
    async decideTrends(unit, id, all) {
      const system = await records.load('systems', id, unit)
      if (system?.['status'] !== 'up') return true
      if (decides !== undefined && !(await decides(unit, id))) return false
      if (hasPolicies()) {
        await prepare(unit, [system])
        await lockPolicies(unit)
      }
      for (const { rule, ...event } of all) await decideAbout(unit, rule, event)
      return true
    },
    recall(systems) {
      for (const system of systems) {
        memory.forget(system)
        running.forget(system)
      }
      recall(systems.filter((system) => rulesOf(system).size > 0))
    },
    forget(system) {
      forgetRules(system)
      memory.forget(system)
      running.forget(system)
    },
    recalled: () => recalling,
    close,
  }
}

const noRules: SystemRules = new Map()

const isEdited = (one: AlertRule, other: AlertRule): boolean =>
  !isEqualLevel(one, other) || one.name !== other.name || one.target !== other.target

const watchesContainers = (of: SystemRules): boolean => [...of.keys()].some((name) => conditionKind(name)?.needsRunning === true)

/**
 * Loads the alert rules of all users, own ones and those of policies, and creates the in-memory cache of them. Own rules follow the
 * hub's change events; those of policies change when `prepare` recomputes them.
 */
async function loadRulesInForce({ engine, bus, log, onChanged }: RuleParts): Promise<RulesInForce> {
  const stored = new Map<string, AlertRule>()
  const storedBySystem = new Map<string, Map<string, AlertRule[]>>()
  const bySystem = new Map<string, SystemRules>()
  const inherited = await loadPolicyRules({ engine, bus, log })

  function put(rule: AlertRule): void {
    stored.set(rule.id, rule)
    let rules = storedBySystem.get(rule.system)
    if (rules === undefined) storedBySystem.set(rule.system, (rules = new Map()))
    rules.set(rule.name, [...(rules.get(rule.name) ?? []).filter(({ id }) => id !== rule.id), rule])
    putTogether(rule.system)
  }

  function drop(id: string): AlertRule | undefined {
    const rule = stored.get(id)
    if (rule === undefined) return undefined
    stored.delete(id)
    const rules = storedBySystem.get(rule.system)
    const rest = (rules?.get(rule.name) ?? []).filter((one) => one.id !== id)
    if (rest.length > 0) rules?.set(rule.name, rest)
    else rules?.delete(rule.name)
    if (rules?.size === 0) storedBySystem.delete(rule.system)
    putTogether(rule.system)
    return rule
  }

  function putTogether(system: string): void {
    const own = storedBySystem.get(system) ?? noRules
    const byPolicies = inherited.bySystem.get(system)
    const rules = byPolicies === undefined ? own : withInherited(own, byPolicies)
    if (rules.size > 0) bySystem.set(system, rules)
    else bySystem.delete(system)
  }

  function onEvent({ action, record }: RecordEvent): void {
    const previous = drop(record.id)
    const next = action === 'delete' ? undefined : ruleOf(record)
    if (next !== undefined) put(next)
    if (isOfPolicyOnly(previous, next)) return
    if (previous !== undefined && previous.system !== next?.system) onChanged([previous.system])
    if (next !== undefined && (previous === undefined || needsOtherReadings(previous, next))) onChanged([next.system])
  }

  const close = bus.subscribe(['alerts'], onEvent)
  for (const record of await engine.store.loadWhere('alerts', {})) put(ruleOf(record))
  for (const system of inherited.bySystem.keys()) putTogether(system)
  return {
    bySystem,
    policies: inherited.policies,
    inherited: inherited.bySystem,
    async prepare(unit, systems) {
      const changed = await inherited.prepare(unit, systems)
      for (const system of changed) putTogether(system)
      const watched = changed.filter((system) => inherited.bySystem.has(system))
      if (watched.length > 0) onChanged(watched)
      return changed
    },
    forgetRules(system) {
      inherited.forget(system)
      putTogether(system)
    },
    close() {
      close()
      inherited.close()
    },
  }
}

/**
 * Returns true for a change of an alert that comes from a policy before and after. The values for the policy's rule are loaded already,
 * unless the user's own alert replaced the rule before.
 */
const isOfPolicyOnly = (previous: AlertRule | undefined, next: AlertRule | undefined): boolean =>
  previous?.isInherited !== false && (next ?? previous)?.isInherited === true

const needsOtherReadings = (one: AlertRule, other: AlertRule): boolean =>
  one.system !== other.system || one.name !== other.name || one.target !== other.target || longestMinutes(one) !== longestMinutes(other)
