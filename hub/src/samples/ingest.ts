import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { containerPoints, systemPoints, valuesOf } from '@vedette/protocol/metrics/series'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { toInfoJson } from '@vedette/protocol/wire/info-json'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import type { Clock } from '../platform/clock.ts'
import { systems } from '../records/collections/systems.ts'
import type { Database, UnitOfWork } from '../platform/db/database.ts'
import { databaseFailure } from '../platform/db/database-failures.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { AppendedSample, History } from '../history/model/history.ts'
import { sampleRecord } from '../history/read/stats-records.ts'
import type { RecordTableStore } from '../records/engine/record-tables.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import { noteChanges } from '../operations/system-events/event-table.ts'
import { storeContainers } from './container-rows.ts'
import type { Writing } from './current-rows.ts'
import { storeDrives } from './drive-rows.ts'
import { gathering, type Pace } from './gathering.ts'
import { storeFacts } from './machine-facts.ts'
import { storeServices } from './service-rows.ts'

/** An agent's own time is believed when it is this close to ours; otherwise the time of arrival counts. */
const BELIEVED_DRIFT_MS = 120_000

/** While nobody watches: between two transactions, and for those who were asked together to answer. */
const unwatchedPace: Pace = { apartMs: 1000, companyMs: 40 }
/**
 * While somebody does: the more systems there are, the more samples share a transaction. 3 ms with a thousand, a blink of
 * an eye with ten thousand.
 */
const watchedPace = (betweenMs: number): Pace => ({ apartMs: Math.min(50, 150 / Math.max(betweenMs, 1)), companyMs: 0 })

/** What samples change and people may be looking at. */
const shown = ['systems', 'containers', 'system_stats', 'container_stats'] as const

/** Whether somebody sees samples as they come. */
export const isWatched = ({ wantsMeasured }: Pick<EventBus, 'wantsMeasured'>): boolean => shown.some(wantsMeasured)

/** `remark`: what is wrong with the agent although it answers. */
export type Arrival = { readonly system: string; readonly sample: Sample; readonly receivedAtMs: number; readonly remark?: string }

export type Ingest = {
  /** Resolves when the sample is committed; rejects when it could not be stored. `undefined`: the system is gone or paused. */
  readonly store: (arrival: Arrival) => Promise<StoredRecord | undefined>
  /** Stores what a system's drives say of their health. */
  readonly storeDrives: (system: string, report: DiskHealthReport) => Promise<void>
  /** How many samples are not stored yet. */
  readonly waiting: () => number
  /** Resolves when everything that arrived is stored. */
  readonly settled: () => Promise<void>
}

type IngestParts = {
  readonly db: Database
  readonly records: RecordTableStore
  readonly history: History
  readonly clock: Clock
  readonly bus: Pick<EventBus, 'wantsMeasured'>
  /** What is measured is held against the alerts in the same transaction. */
  readonly alerts: Pick<AlertWatch, 'observe' | 'mayRing'>
}

/** Stores samples: history, current containers, machine facts and the system's own record, many samples a transaction. */
export function ingestInto({ db, records, history, clock, bus, alerts }: IngestParts): Ingest {
  const { wantsMeasured } = bus
  const { add, settled, waiting } = gathering<Arrival, StoredRecord | undefined>({
    keyOf: ({ system }) => system,
    store: (batch) => db.write((unit) => storeAll({ records, unit, database: db, wantsMeasured }, batch), 'process'),
    pace: (betweenMs) => (isWatched(bus) ? watchedPace(betweenMs) : unwatchedPace),
    // Who is to be told is told at once.
    isUrgent: ({ system, sample }) => alerts.mayRing(system, sample),
    // Without a database there is nothing to gain by storing them one by one.
    mayBeOneOfThem: (error) => databaseFailure(error) === undefined,
    nowMs: () => performance.now(),
  })

  async function storeAll(writing: Writing, batch: readonly Arrival[]): Promise<readonly (StoredRecord | undefined)[]> {
    const ids = batch.map(({ system }) => system)
    const current = new Map((await records.loadManyToChange(systems, ids, writing.unit)).map((record) => [record.id, record]))
    const samples = batch.flatMap((arrival) => {
      const previous = current.get(arrival.system)
      return previous === undefined || previous['status'] === 'paused' ? [] : [{ ...appended(arrival), arrival, previous }]
    })
    await history.append(writing.unit, samples)
    const facts = await storeFacts(
      writing,
      samples.map(({ system, previous, arrival }) => ({ system, previous, facts: arrival.sample.machine })),
    )
    const nowMs = clock.now()
    await storeContainers(
      writing,
      samples.map(({ system, arrival }) => ({ system, containers: arrival.sample.containers })),
      nowMs,
    )
    const services = samples.flatMap(({ system, arrival: { sample } }) =>
      sample.services === undefined ? [] : [{ system, services: sample.services }],
    )
    if (services.length > 0) await storeServices(writing, services, nowMs)
    const changes = samples.map(({ system, atMs, previous, arrival: { sample, remark } }) => {
      // Optional fields are absent, never undefined: see present().
      const info = { ...toInfoJson(sample, facts.get(system) ?? {}, atMs), ...(remark === undefined ? {} : { why: remark }) } as Json
      return { previous, values: { status: 'up', info } }
    })
    const happened = changes.map(({ previous, values }) => ({ system: previous.id, previous, next: values }))
    await noteChanges(writing.unit, happened, nowMs)
    const changed = await records.updateMany(writing.unit, systems, changes, wantsMeasured('systems'))
    await alerts.observe(
      writing.unit,
      samples.map(({ system, atMs, previous, arrival: { sample } }) => ({ system, atMs, previous, sample })),
    )
    for (const sample of samples) tellStats(writing.unit, sample)
    const byId = new Map(changed.map((record) => [record.id, record]))
    return ids.map((id) => byId.get(id))
  }

  function tellStats(unit: UnitOfWork, { system, atMs, kinds }: AppendedSample): void {
    if (kinds.system !== undefined && wantsMeasured('system_stats'))
      unit.emit({ action: 'create', collection: 'system_stats', record: sampleRecord(system, 'system', atMs, valuesOf(kinds.system)) })
    if (kinds.containers !== undefined && wantsMeasured('container_stats'))
      unit.emit({
        action: 'create',
        collection: 'container_stats',
        record: sampleRecord(system, 'containers', atMs, valuesOf(kinds.containers)),
      })
  }

  return { store: add, waiting, settled, storeDrives: (system, report) => storeDrives({ db, records, clock, system }, report) }
}

function appended({ system, sample, receivedAtMs }: Arrival): AppendedSample {
  const containers = sample.containers?.length ? { containers: containerPoints(sample.containers) } : {}
  return { system, atMs: timeOf(sample, receivedAtMs), kinds: { system: systemPoints(sample), ...containers } }
}

/** A sample's time is when its answer was complete here, unless a trustworthy agent says when it was taken; never the future. */
export function timeOf({ takenAtMs }: Sample, receivedAtMs: number): number {
  if (takenAtMs === undefined || receivedAtMs - takenAtMs > BELIEVED_DRIFT_MS) return receivedAtMs
  return Math.min(takenAtMs, receivedAtMs)
}
