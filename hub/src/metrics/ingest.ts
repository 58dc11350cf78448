import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { containerSeries, systemSeries } from '@vedette/protocol/metrics/series'
import type { MachineFacts, Sample } from '@vedette/protocol/metrics/sample'
import { toInfoJson } from '@vedette/protocol/wire/info-json'
import { operatingSystems } from '@vedette/protocol/wire/keys'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../clock.ts'
import type { Database, UnitOfWork } from '../db/database.ts'
import type { RecordStore, RecordValues } from '../records/record-store.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import { storeContainers } from './container-rows.ts'
import { storeDrives } from './drive-rows.ts'
import type { AppendedSample, History } from '../history/history.ts'
import { storeServices } from './service-rows.ts'
import { sampleRecord } from '../history/stats-records.ts'

/** Samples that arrive within this time share one transaction. */
const GATHER_MS = 20

/** An agent's own time is believed when it is this close to ours; otherwise the time of arrival counts. */
const BELIEVED_DRIFT_MS = 120_000

/** `remark`: what is wrong with the agent although it answers. */
export type Arrival = { readonly system: string; readonly sample: Sample; readonly receivedAtMs: number; readonly remark?: string }

export type Ingest = {
  /** Resolves when the sample is committed; rejects when it could not be stored. `undefined`: the system is gone or paused. */
  readonly store: (arrival: Arrival) => Promise<StoredRecord | undefined>
  /** Stores what a system's drives say of their health. */
  readonly storeDrives: (system: string, report: DiskHealthReport) => Promise<void>
}

type Waiting = {
  readonly arrival: Arrival
  readonly resolve: (record: StoredRecord | undefined) => void
  readonly reject: (error: unknown) => void
}

type IngestParts = { readonly db: Database; readonly records: RecordStore; readonly history: History; readonly clock: Clock }

/** Stores samples: history, current containers, machine facts and the system's own record, many samples a transaction. */
export function ingestInto({ db, records, history, clock }: IngestParts): Ingest {
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const stored = await db.write(async (unit) => {
        const results: (StoredRecord | undefined)[] = []
        const samples: AppendedSample[] = []
        for (const { arrival } of batch) results.push(await storeOne(unit, arrival, samples))
        await history.append(unit, samples)
        return results
      }, 'process')
      batch.forEach(({ resolve }, index) => resolve(stored[index]))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** What goes into the history is put to `samples`: all of a transaction are appended at once. */
  async function storeOne(
    unit: UnitOfWork,
    { system, sample, receivedAtMs, remark }: Arrival,
    samples: AppendedSample[],
  ): Promise<StoredRecord | undefined> {
    const current = await records.load('systems', system, unit)
    if (current === undefined || current['status'] === 'paused') return undefined
    const atMs = timeOf(sample, receivedAtMs)
    const kinds = { system: systemSeries(sample), ...(sample.containers?.length ? { containers: containerSeries(sample.containers) } : {}) }
    samples.push({ system, atMs, kinds })
    const facts = await storeFacts(unit, system, sample.machine)
    const rows = { records, unit, system, nowMs: clock.now() }
    await storeContainers(rows, sample.containers)
    if (sample.services !== undefined) await storeServices(rows, sample.services)
    // Optional fields are absent, never undefined: see present().
    const info = { ...toInfoJson(sample, facts, atMs), ...(remark === undefined ? {} : { why: remark }) } as Json
    const updated = await records.update(unit, 'systems', system, { status: 'up', info })
    unit.emit({ action: 'create', collection: 'system_stats', record: sampleRecord(system, 'system', atMs, kinds.system) })
    if ('containers' in kinds) {
      unit.emit({
        action: 'create',
        collection: 'container_stats',
        record: sampleRecord(system, 'containers', atMs, kinds.containers),
      })
    }
    return updated
  }

  /** What is known of the machine after this sample: facts arrive once, and stay. */
  async function storeFacts(unit: UnitOfWork, system: string, facts: MachineFacts | undefined): Promise<MachineFacts> {
    const known = await records.load('system_details', system, unit)
    if (facts === undefined) return known === undefined ? {} : toFacts(known)
    const values = fromFacts(facts)
    // Agents of today repeat their number of threads until they are asked for the rest.
    if (known === undefined && Object.keys(values).every((field) => field === 'threads')) return facts
    if (known === undefined) await records.insert(unit, 'system_details', { id: system, system, ...values })
    else if (Object.entries(values).some(([field, value]) => known[field] !== value))
      await records.update(unit, 'system_details', system, values)
    return { ...(known && toFacts(known)), ...facts }
  }

  return {
    storeDrives: (system, report) => storeDrives({ db, records, system }, report),
    store: (arrival) =>
      new Promise((resolve, reject) => {
        waiting.push({ arrival, resolve, reject })
        if (waiting.length === 1) setTimeout(() => void flush(), GATHER_MS)
      }),
  }
}

/** A sample's time is when its answer was complete here, unless a trustworthy agent says when it was taken; never the future. */
export function timeOf({ takenAtMs }: Sample, receivedAtMs: number): number {
  if (takenAtMs === undefined || receivedAtMs - takenAtMs > BELIEVED_DRIFT_MS) return receivedAtMs
  return Math.min(takenAtMs, receivedAtMs)
}

function fromFacts(facts: MachineFacts): RecordValues {
  const values: Record<string, Json | undefined> = {
    hostname: facts.hostname,
    kernel: facts.kernel,
    cpu: facts.cpuModel,
    cores: facts.cores,
    threads: facts.threads,
    os: facts.os && operatingSystems.indexOf(facts.os),
    os_name: facts.osName,
    arch: facts.architecture,
    memory: facts.totalMemoryBytes,
    podman: facts.podman,
  }
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

/** Records have no "unknown": an empty text and a zero mean it here. */
function toFacts(record: StoredRecord): MachineFacts {
  const text = (field: string) => (typeof record[field] === 'string' && record[field] !== '' ? record[field] : undefined)
  const number = (field: string) => (typeof record[field] === 'number' && record[field] > 0 ? record[field] : undefined)
  const facts = {
    hostname: text('hostname'),
    kernel: text('kernel'),
    cpuModel: text('cpu'),
    cores: number('cores'),
    threads: number('threads'),
    os: operatingSystems[Number(record['os'])],
    osName: text('os_name'),
    architecture: text('arch'),
    totalMemoryBytes: number('memory'),
    podman: record['podman'] === true ? true : undefined,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
