import type { CborMap } from '@vedette/protocol/cbor/value'
import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import type { FieldProblem } from '@vedette/protocol/wire/field-reader'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import type { History } from '../history/model/history.ts'
import { batchQueue, type Pace } from '../platform/batch-queue.ts'
import type { Clock } from '../platform/clock.ts'
import { databaseFailure } from '../platform/db/database-failures.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import type { RecordTableStore } from '../records/engine/engine.ts'
import { storeDrives } from './current-rows.ts'
import { withinBounds } from './sample-bounds.ts'
import { storeSamples, type Arrival, type SampleOutcome } from './sample-store.ts'
import { storingState, type StoringState } from './storing-state.ts'

export type SamplePipeline = AsyncDisposable & {
  /** Resolves after the commit. Rejects if this sample itself cannot be stored. */
  readonly store: (arrival: Arrival) => Promise<SampleOutcome>
  /** Stores the health of a system's drives. */
  readonly storeDrives: (system: string, report: DiskHealthReport) => Promise<void>
  /** Number of samples that are not stored yet. */
  readonly waiting: () => number
  /** Stores all waiting samples at once. Resolves when they are stored. */
  readonly settled: () => Promise<void>
  readonly storing: StoringState
}

type PipelineParts = {
  readonly db: Database
  readonly records: RecordTableStore
  readonly history: History
  readonly clock: Clock
  readonly bus: Pick<EventBus, 'isWatched'>
  readonly alerts: Pick<AlertWatch, 'observe' | 'isUrgent'>
  readonly log: Log
  readonly tryEveryMs?: number
}

/** Decodes and limits a sample: percentages to 100, texts and lists to a maximum length. `problems` lists fields that were left out. */
export function readSample(
  document: CborMap,
):
  | { readonly ok: true; readonly sample: Sample; readonly problems: readonly FieldProblem[] }
  | { readonly ok: false; readonly reason: string } {
  const decoded = decodeDocument(document)
  return decoded.ok ? { ...decoded, sample: withinBounds(decoded.sample) } : decoded
}

/** The life of a sample in the hub: decode and check ({@link readSample}), store in one transaction with others, publish after the commit. */
export function samplePipeline({ db, records, history, clock, bus, alerts, log, tryEveryMs }: PipelineParts): SamplePipeline {
  const storing = storingState({ db, clock, log, tryEveryMs })
  const queue = batchQueue<Arrival, SampleOutcome>({
    keyOf: ({ system }) => system,
    store: (batch) =>
      db.write((unit) => storeSamples({ records, unit, dialect: db.dialect }, { history, alerts, clock }, batch), 'process'),
    pace: (intervalMs) => (isWatched(bus) ? watchedPace(intervalMs) : UNWATCHED_PACE),
    isUrgent: ({ system, sample }) => alerts.isUrgent(system, sample),
    // A full or unreachable database would also refuse each sample alone.
    isFaultOfOne: (error) => databaseFailure(error) === undefined,
    nowMs: () => performance.now(),
  })
  return {
    async store(arrival) {
      if (storing.now().state === 'paused') return { kind: 'storing paused' }
      try {
        return await queue.add(arrival)
      } catch (error) {
        if (storing.failed(error)) return { kind: 'storing paused' }
        throw error
      }
    },
    storeDrives: (system, report) => storeDrives({ db, records, clock, system }, report),
    waiting: queue.waiting,
    settled: queue.settled,
    storing,
    async [Symbol.asyncDispose]() {
      // A failure of the last samples may start another trial, so the trials end last.
      await queue.settled()
      await storing[Symbol.asyncDispose]()
    },
  }
}

/** Collections that samples change and that live viewers may have open. */
const SAMPLED = ['systems', 'containers', 'system_stats', 'container_stats'] as const

/** True when a user watches samples live. Only the pace of batches depends on it. */
export const isWatched = ({ isWatched: watches }: Pick<EventBus, 'isWatched'>): boolean => SAMPLED.some(watches)

/** Without live viewers one transaction a second is enough. The 40 ms let agents that were polled together respond. */
const UNWATCHED_PACE: Pace = { apartMs: 1000, companyMs: 40 }

/** With live viewers, batches grow with the number of systems: 3 ms apart with 1,000 systems, 50 ms with 10,000. */
const watchedPace = (intervalMs: number): Pace => ({ apartMs: Math.min(50, 150 / Math.max(intervalMs, 1)), companyMs: 0 })
