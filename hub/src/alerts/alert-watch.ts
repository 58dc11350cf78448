import type { Sample } from '@vedette/protocol/metrics/sample'
import type { UnitOfWork } from '../db/database.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { History } from '../history/history.ts'
import type { Log } from '../log.ts'
import { mayDo } from '../records/access.ts'
import type { Engine } from '../records/engine.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import { levelKind, type LevelKind, type Reading } from './alert-kinds.ts'
import type { AlertRule } from './alert-rule.ts'
import { alertRules } from './alert-rules.ts'
import type { AlertEvent } from './alert-state.ts'
import { loadAlert, settle, type Facts } from './alert-transition.ts'
import { forgetAlert, loadDue } from './incident-store.ts'
import { readingsMemory } from './readings-memory.ts'
import { judge, sideOf } from './judge-level.ts'
import { extremeOf } from './recent-readings.ts'

/** A sample as it is stored, and the system's record before. */
export type Observed = { readonly system: string; readonly atMs: number; readonly sample: Sample; readonly previous: StoredRecord }

export type AlertWatch = {
  /** Holds what was measured against the alerts, in the unit of work that stores it. */
  readonly observe: (unit: UnitOfWork, samples: readonly Observed[]) => Promise<void>
  /** Whether what was measured may make an alert ring, or end one that does. */
  readonly mayRing: (system: string, sample: Sample) => boolean
  /** Told in the unit of work in which a system goes down; `reason` is one sentence. */
  readonly wentDown: (unit: UnitOfWork, previous: StoredRecord, reason: string) => Promise<void>
  /** Decides what time alone has decided by now, the longest due first. Returns whether there may be more. */
  readonly decideDue: (unit: UnitOfWork) => Promise<boolean>
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
  const rules = await alertRules(records, bus, (system) => recall([system]))

  let recalling: Promise<void> = Promise.resolve()

  /** Until it is done an average is not known, and nothing fires by it. */
  function recall(systems: readonly string[]): void {
    const wanted = new Map(systems.map((system) => [system, rules.of(system)]))
    for (const [system, of] of wanted) if (of.size === 0) memory.forget(system)
    recalling = recalling
      .then(() => memory.recall(wanted, clock.now()))
      .catch((error: unknown) => log.error('readings not recalled', { error }))
  }

  async function decideAbout(unit: UnitOfWork, rule: AlertRule, event: AlertEvent, facts?: Facts): Promise<void> {
    const loaded = await loadAlert(unit, records, rule.id)
    // The alert is another one than the one that was looked at: the next measurement is held against that.
    if (loaded === undefined || loaded.rule.threshold !== rule.threshold || loaded.rule.name !== rule.name) return
    const isTheirs = await maySee(unit, loaded.rule.owner, loaded.system)
    const change = await settle({ unit, records, nowMs: clock.now() }, loaded, isTheirs ? event : { kind: 'begin anew' }, facts)
    if (change !== undefined) log.info('alert', { change, name: rule.name, system: rule.system, ...facts })
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
    for (const [name, some] of rules.of(system)) {
      const kind = levelKind(name)
      if (kind !== undefined) await observeLevel(unit, kind, some, { system, atMs, reading: kind.read(sample) })
      else if (name === 'Status' && previous['status'] !== 'up')
        for (const rule of some) await decideAbout(unit, rule, { kind: 'up', atMs: clock.now() })
    }
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
    const readings = memory.note({ system, kind: kind.name, minutes, atMs }, reading, nowMs)
    const now = extremeOf(reading, kind.direction)
    if (readings === undefined || now === undefined) return
    for (const rule of some) {
      // Nothing can follow: what fires goes on, what does not stays quiet.
      if ((sideOf(now, rule, kind) === 'beyond') === rule.isFiring) continue
      const { event, average } = judge(readings, { rule, kind, now, at: readings.times.length - 1 })
      if (event.average !== event.now || average === undefined) continue
      await decideAbout(unit, rule, event, { value: average.value, ...(average.target === '' ? {} : { target: average.target }) })
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
          if (kind === undefined) return some.some(({ isFiring }) => isFiring)
          const now = extremeOf(kind.read(sample), kind.direction)
          return now !== undefined && some.some((rule) => (sideOf(now, rule, kind) === 'beyond') !== rule.isFiring)
        }),
    async wentDown(unit, previous, reason) {
      if (previous['status'] !== 'up') return
      for (const rule of rules.of(previous.id).get('Status') ?? [])
        await decideAbout(unit, rule, { kind: 'down', atMs: clock.now(), waitMs: rule.minutes * MINUTE_MS }, { reason })
    },
    async decideDue(unit) {
      const due = await loadDue(unit, { nowMs: clock.now(), most: DECIDED_AT_ONCE })
      for (const id of due) {
        const loaded = await loadAlert(unit, records, id)
        if (loaded === undefined) await forgetAlert(unit, id)
        else await decideAbout(unit, loaded.rule, dueEvent(loaded.system, clock.now()), reasonOf(loaded.system))
      }
      return due.length === DECIDED_AT_ONCE
    },
    recalled: () => recalling,
    close: rules.close,
  }
}

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
