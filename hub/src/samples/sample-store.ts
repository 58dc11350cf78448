import type { Sample } from '@vedette/protocol/metrics/sample'
import { containerPoints, systemPoints, type SeriesPoints } from '@vedette/protocol/metrics/series'
import { toInfoJson, type InfoJson } from '@vedette/protocol/wire/info-json'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import type { AppendedSample, History } from '../history/model/history.ts'
import { sampleEvents } from '../history/read/stats-records.ts'
import { noteChanges, noteContainerEvents } from '../operations/system-events/system-events.ts'
import type { Clock } from '../platform/clock.ts'
import type { UnitOfWork } from '../platform/db/database.ts'
import { together } from '../platform/db/together.ts'
import { containers } from '../records/collections/containers.ts'
import { systemdServices } from '../records/collections/systemd-services.ts'
import { systems } from '../records/collections/systems.ts'
import type { RecordValues } from '../records/model/record-store.ts'
import { reportedTagFields } from '../records/model/reported-tags.ts'
import type { StoredRecord } from '../records/model/stored-record.ts'
import { compareContainers, compareServices, type Writing } from './current-rows.ts'
import { storeFacts } from './machine-facts.ts'

/** Maximum delay between a sample's own time and its arrival, in ms (2 min). Older samples get the time of arrival. */
const MOST_LAG_MS = 120_000

/**
 * Sample of a system that this hub has received, and when. `remark` is a warning to store with it, such as that two agents have one
 * fingerprint (identity).
 */
export type Arrival = {
  readonly system: string
  readonly sample: Sample
  readonly receivedAtMs: number
  readonly remark?: string
  /**
   * SMART values of the system's drives that were read since its last sample, as keys and values of history series. `undefined` without a
   * reading.
   */
  readonly drives?: SeriesPoints
  /**
   * Epoch (fencing number) of this hub's ownership of the system when it requested the sample; a later owner has a higher number.
   * `undefined` for a single hub.
   */
  readonly epoch?: number | undefined
}

/**
 * Result of storing one sample: `stored` with the system's record, `not watched` (deleted or paused system) or `not owned` (by this hub).
 * Or `already stored` (by another hub), or `storing paused` (the database is full or unreachable).
 */
export type SampleOutcome =
  | { readonly kind: 'stored'; readonly record: StoredRecord }
  | { readonly kind: 'not watched' }
  | { readonly kind: 'not owned' }
  | { readonly kind: 'already stored' }
  | { readonly kind: 'storing paused' }

/**
 * Functions that check, in the transaction that stores samples, whether this hub still owns (polls) their systems. They stop a hub that was
 * frozen or disconnected from storing samples of systems that another hub has taken over.
 */
export type LeaseFence = {
  /**
   * Resolves when this hub has recently renewed its row in the table of hubs, by which other hubs see that it runs. Rejects if it cannot.
   */
  readonly ready: () => Promise<void>
  /**
   * Locks the systems' leases (rows that say which hub owns a system) until the transaction ends. Resolves to the ids of those systems in
   * `writers` that this hub owns, by the `epoch` of each.
   */
  readonly admit: (
    unit: UnitOfWork,
    writers: readonly { readonly system: string; readonly epoch?: number | undefined }[],
  ) => Promise<ReadonlySet<string>>
}

type StoreParts = {
  readonly history: History
  readonly alerts: Pick<AlertWatch, 'observe'>
  readonly clock: Clock
  /**
   * Function `admit` of the lease fence, which resolves to those systems of the batch that this hub still owns (polls). `undefined` for a
   * single hub.
   */
  readonly fence?: Pick<LeaseFence, 'admit'> | undefined
}

/**
 * Stores a batch of samples, each of a different system, in one transaction. Refused samples are left out. Resolves to one result per
 * sample, in order. Events are published after the commit.
 */
export async function storeSamples(
  writing: Writing,
  { history, alerts, clock, fence }: StoreParts,
  batch: readonly Arrival[],
): Promise<readonly SampleOutcome[]> {
  const { records, unit } = writing
  const nowMs = clock.now()

  // 1. Lock the systems. Samples of deleted and paused systems are dropped.
  const ids = batch.map(({ system }) => system)
  const [loaded, owned] = await together(records.loadManyToChange(systems, ids, unit), fence?.admit(unit, batch))
  const locked = new Map(loaded.map((record) => [record.id, record]))
  const refused = owned === undefined ? new Map<string, Refusal>() : refusals({ batch, locked, owned })
  const samples = batch.flatMap((arrival) => {
    const previous = locked.get(arrival.system)
    const isDropped = previous === undefined || previous['status'] === 'paused' || refused.has(arrival.system)
    return isDropped ? [] : [{ ...arrival, ...appended(arrival), previous }]
  })

  // 2. Store the history, and read what else changes.
  const [, storeContainers, storeServices] = await together(
    history.append(unit, samples),
    compareContainers(
      writing,
      samples.map(({ system, sample }) => ({ system, containers: sample.containers })),
      nowMs,
    ),
    compareServices(
      writing,
      samples.map(({ system, sample }) => ({ system, services: sample.services })),
      nowMs,
    ),
  )

  // 3. Store the current rows, the system's record, and the events of its change.
  const facts = await storeFacts(writing, samples)
  const containerChanges = await storeContainers()
  const serviceChanges = await storeServices()
  const changes = samples.map(({ system, atMs, sample, remark, previous }) => {
    // Absent fields have no key, see present().
    const info = { ...toInfoJson(sample, facts.get(system) ?? {}, atMs), ...(remark === undefined ? {} : { why: remark }) } as Json
    return { before: previous, values: { status: 'up', info, ...agentTags(previous, sample) } }
  })
  await noteChanges(
    unit,
    changes.map(({ before, values }) => ({ system: before.id, previous: before, next: values })),
    nowMs,
  )
  for (const sample of samples) if (sample.sample.containerEvents !== undefined) await noteContainerEvents(unit, sample)
  const [, , updated] = await together(
    records.updateMany(unit, containers, containerChanges),
    records.updateMany(unit, systemdServices, serviceChanges),
    records.updateMany(unit, systems, changes),
  )

  // 4. Alerts.
  await alerts.observe(unit, samples)

  // 5. Publish, after the commit.
  for (const sample of samples) for (const event of sampleEvents(sample)) unit.emit(event)
  const stored = new Map(updated.map((record) => [record.id, record]))
  return ids.map((id) => refused.get(id) ?? outcomeOf(stored.get(id)))
}

/**
 * Returns the fields of a system's record that change by the tags in an agent's sample; `{}` if none do. Only a sample with a host name has
 * tags, always all of the agent's, so an absent list means none.
 */
function agentTags(previous: StoredRecord, { machine }: Sample): RecordValues {
  const hasTags = machine?.tags !== undefined || (previous['tagSources'] ?? null) !== null
  return machine?.hostname !== undefined && hasTags ? reportedTagFields(previous, 'agent', machine.tags ?? []) : {}
}

const outcomeOf = (record: StoredRecord | undefined): SampleOutcome =>
  record === undefined ? { kind: 'not watched' } : { kind: 'stored', record }

type Refusal = Extract<SampleOutcome, { kind: 'not owned' | 'already stored' }>

type LockedBatch = {
  readonly batch: readonly Arrival[]
  readonly locked: ReadonlyMap<string, StoredRecord>
  /** Set of the ids of those systems of the batch that this hub still owns (polls). Samples of others are refused. */
  readonly owned: ReadonlySet<string>
}

/**
 * Returns a map from system id to the reason (`not owned`, `already stored`) why its sample must not be stored; other systems are absent.
 * Two hubs may receive the same sample, because the agent caches it.
 */
function refusals({ batch, locked, owned }: LockedBatch): ReadonlyMap<string, Refusal> {
  const refused = new Map<string, Refusal>()
  for (const { system, sample, receivedAtMs } of batch) {
    const lastMs = (locked.get(system)?.['info'] as InfoJson | null | undefined)?.at // the hub writes this field itself
    if (!owned.has(system)) refused.set(system, { kind: 'not owned' })
    else if (sample.takenAtMs !== undefined && sampleTimeMs(sample, receivedAtMs) === lastMs)
      refused.set(system, { kind: 'already stored' })
  }
  return refused
}

function appended({ system, sample, receivedAtMs, drives }: Arrival): AppendedSample {
  const containers = sample.containers?.length ? { containers: containerPoints(sample.containers) } : {}
  const points = systemPoints(sample)
  return {
    system,
    atMs: sampleTimeMs(sample, receivedAtMs),
    kinds: { system: drives === undefined ? points : joined(points, drives), ...containers },
  }
}

const joined = (one: SeriesPoints, other: SeriesPoints): SeriesPoints => ({
  things: [...one.things, ...other.things],
  fields: [...one.fields, ...other.fields],
  values: [...one.values, ...other.values],
})

/**
 * Returns the time under which a sample is stored, in epoch ms: the agent's own time if it is at most 2 min before the arrival, else the
 * arrival. It is never after the arrival.
 */
export function sampleTimeMs({ takenAtMs }: Pick<Sample, 'takenAtMs'>, receivedAtMs: number): number {
  if (takenAtMs === undefined || receivedAtMs - takenAtMs > MOST_LAG_MS) return receivedAtMs
  return Math.min(takenAtMs, receivedAtMs)
}
