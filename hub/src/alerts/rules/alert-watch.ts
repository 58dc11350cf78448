import type { Sample } from '@vedette/protocol/metrics/sample'
import type { UnitOfWork } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { History } from '../../history/model/history.ts'
import type { Log } from '../../platform/log.ts'
import { mayDo } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { whereReadable } from '../../records/engine/where-readable.ts'
import { levelKind, type LevelKind, type Reading } from '../judging/alert-kinds.ts'
import type { AlertRule } from '../judging/alert-rule.ts'
import { alertRules, type SystemRules } from './alert-rules.ts'
import type { AlertEvent } from '../judging/alert-state.ts'
import { loadAlert, settle, type Facts, type Happened } from './alert-transition.ts'
import { conditionKind } from '../judging/condition-kinds.ts'
import { conditionLooks, type Look } from './condition-look.ts'
import { forgetAlert, loadDue, type DuePosition } from '../incidents/incident-store.ts'
import { readingsMemory } from './readings-memory.ts'
import { judge, sideOf } from '../judging/judge-level.ts'
import { extremeAt, extremeOf } from '../judging/recent-readings.ts'
import { runningContainers } from './running-containers.ts'
import { ofTarget, partOf } from '../judging/one-target.ts'

/** A sample as it is stored, and the system's record before. */
export type Observed = { readonly system: string; readonly atMs: number; readonly sample: Sample; readonly previous: StoredRecord }

export type AlertWatch = {
  /** Holds what was measured against the alerts, in the unit of work that stores it. */
  readonly observe: (unit: UnitOfWork, samples: readonly Observed[]) => Promise<void>
  /** Whether what was measured may make an alert ring, or end one that does. */
  readonly mayRing: (system: string, sample: Sample) => boolean
  /** Told in the unit of work in which a system goes down; `reason` is one sentence. */
  readonly wentDown: (unit: UnitOfWork, previous: StoredRecord, reason: string) => Promise<void>
  /**
   * Decides some of the alerts whose wait is over, the longest due first, beginning after a position. Returns the position of the last;
   * undefined when there are no more.
   */
  readonly decideDue: (unit: UnitOfWork, after?: DuePosition) => Promise<DuePosition | undefined>
  /** Resolves when averages are known as far as the history knows them. */
  readonly recalled: () => Promise<void>
  readonly close: () => void
}

type WatchParts = { readonly engine: Engine; readonly history: Pick<History, 'read'>; readonly bus: EventBus; readonly log: Log }

const MINUTE_MS = 60_000
/** In one unit of work, which holds up others. */
const DECIDED_AT_ONCE = 100

/** Watches what is measured on behalf of everybody who wants to be told. */
export async function watchAlerts({ engine, history, bus, log }: WatchParts): Promise<AlertWatch> {
  const { store: records, clock } = engine
  const memory = readingsMemory(history)
  const running = runningContainers(history)
  const looks = conditionLooks(running)
  const rules = await alertRules(records, bus, (system) => recall([system]))

  let recalling: Promise<void> = Promise.resolve()

  /** Until it is done an average is not known, and nothing fires by it. */
  function recall(systems: readonly string[]): void {
    const wanted = new Map(systems.map((system) => [system, rules.of(system)]))
    for (const [system, of] of wanted) {
      if (of.size === 0) memory.forget(system)
      if (!looksAtContainers(of)) running.forget(system)
    }
    const watching = systems.filter((system) => looksAtContainers(rules.of(system)))
    recalling = recalling
      .then(async () => {
        await memory.recall(wanted, clock.now())
        await running.recall(watching, clock.now())
      })
      .catch((error: unknown) => log.error('readings not recalled', { error }))
  }

  async function decideAbout(unit: UnitOfWork, rule: AlertRule, ...all: readonly Happened[]): Promise<void> {
    if (all.length === 0) return
    const loaded = await loadAlert(unit, records, rule.id)
    // The alert is another one than the one that was looked at: the next measurement is held against that.
    if (loaded === undefined || isAnother(loaded.rule, rule)) return
    const { owner } = loaded.rule
    // Of an account that cannot be read nothing is known: its alerts stay as they are, and cost nobody else a sample.
    const isTheirs = await whereReadable(
      () => maySee(unit, owner, loaded.system),
      (error) => log.error('account not read', { account: owner, error }),
    )
    if (isTheirs === undefined) return
    for (const happened of all) {
      const event: AlertEvent = isTheirs ? happened.event : { kind: 'begin anew' }
      const change = await settle({ unit, records, nowMs: clock.now() }, loaded, { ...happened, event })
      if (change !== undefined) log.info('alert', { change, name: rule.name, system: rule.system, ...happened.facts })
    }
  }

  /** Alerts tell of a system only whom it is shared with now. */
  async function maySee(unit: UnitOfWork, owner: string, system: StoredRecord): Promise<boolean> {
    const actor = await records.load('users', owner, unit)
    const collection = engine.collections.find('systems')
    if (actor === undefined || collection === undefined) return false
    const facts = { actor, context: 'default', method: 'GET', query: {}, headers: {} } as const
    return mayDo(engine, { collection, rule: 'view', facts }, system, unit)
  }

  async function observeOne(unit: UnitOfWork, { system, atMs, sample, previous }: Observed): Promise<void> {
    if (sample.containers !== undefined && looksAtContainers(rules.of(system))) running.note(system, sample.containers, atMs)
    for (const [name, some] of rules.of(system)) {
      const kind = levelKind(name)
      const condition = conditionKind(name)
      if (kind !== undefined) await observeLevel(unit, kind, some, { system, atMs, reading: kind.read(sample) })
      else if (condition !== undefined)
        for (const rule of some) await observeCondition(unit, { system, sample, atMs, kind: condition, rule })
      else if (name === 'Status' && previous['status'] !== 'up')
        for (const rule of some) await decideAbout(unit, rule, { event: { kind: 'up', atMs: clock.now() } })
    }
  }

  async function observeCondition(unit: UnitOfWork, look: Look): Promise<void> {
    await decideAbout(unit, look.rule, ...(await looks.eventsOf(unit, look)))
  }

  type Read = { readonly system: string; readonly atMs: number; readonly reading: Reading }

  async function observeLevel(
    unit: UnitOfWork,
    kind: LevelKind,
    some: readonly AlertRule[],
    { system, atMs, reading }: Read,
  ): Promise<void> {
    const nowMs = clock.now()
    const minutes = Math.max(...some.map((rule) => rule.minutes))
    const all = memory.note({ system, kind: kind.name, minutes, atMs }, reading, nowMs)
    if (all === undefined) return
    for (const rule of some) {
      const readings = ofTarget(all, kind, rule.target)
      const now = extremeAt(readings, readings.times.length - 1, kind.direction)
      if (now === undefined) continue
      // Nothing can follow: what fires goes on, what does not stays quiet.
      if ((sideOf(now, rule, kind) === 'beyond') === rule.isFiring) continue
      const { event, average } = judge(readings, { rule, kind, now, at: readings.times.length - 1 })
      if (event.average !== event.now || average === undefined) continue
      const facts = { value: average.value, ...(average.target === '' ? {} : { target: average.target }) }
      await decideAbout(unit, rule, { event, facts })
    }
  }

  recall(rules.all().map(({ system }) => system))
  return {
    async observe(unit, samples) {
      for (const sample of samples) if (rules.of(sample.system).size > 0) await observeOne(unit, sample)
    },
    mayRing: (system, sample) =>
      rules
        .of(system)
        .entries()
        .some(([name, some]) => {
          const kind = levelKind(name)
          const condition = conditionKind(name)
          if (condition !== undefined)
            return some.some((rule) => looks.mayRing({ system, sample, atMs: clock.now(), kind: condition, rule }))
          if (kind === undefined) return some.some(({ isFiring }) => isFiring)
          const reading = kind.read(sample)
          return some.some((rule) => {
            const now = extremeOf(partOf(reading, kind, rule.target), kind.direction)
            return now !== undefined && (sideOf(now, rule, kind) === 'beyond') !== rule.isFiring
          })
        }),
    async wentDown(unit, previous, reason) {
      if (previous['status'] !== 'up') return
      for (const rule of rules.of(previous.id).get('Status') ?? [])
        await decideAbout(unit, rule, { event: { kind: 'down', atMs: clock.now(), waitMs: rule.minutes * MINUTE_MS }, facts: { reason } })
    },
    async decideDue(unit, after) {
      const due = await loadDue(unit, { nowMs: clock.now(), most: DECIDED_AT_ONCE, after })
      for (const { alert: id } of due) {
        const loaded = await loadAlert(unit, records, id)
        if (loaded === undefined) await forgetAlert(unit, id)
        else await decideAbout(unit, loaded.rule, { event: dueEvent(loaded.system, clock.now()), facts: reasonOf(loaded.system) })
      }
      return due.length === DECIDED_AT_ONCE ? due.at(-1) : undefined
    },
    recalled: () => recalling,
    close: rules.close,
  }
}

const isAnother = (one: AlertRule, other: AlertRule): boolean =>
  one.threshold !== other.threshold || one.name !== other.name || one.target !== other.target

const looksAtContainers = (of: SystemRules): boolean => [...of.keys()].some((name) => conditionKind(name)?.needsRunning === true)

/** A wait decides nothing that the system has not: one that is up is up, and one that is paused is not waited for. */
function dueEvent(system: StoredRecord, nowMs: number): AlertEvent {
  if (system['status'] === 'down') return { kind: 'time', atMs: nowMs }
  return system['status'] === 'up' ? { kind: 'up', atMs: nowMs } : { kind: 'begin anew' }
}

function reasonOf(system: StoredRecord): Facts {
  const { info } = system
  const why = typeof info === 'object' && info !== null && 'why' in info ? info['why'] : undefined
  return typeof why === 'string' ? { reason: why } : {}
}
