import type { CborMap } from '@vedette/protocol/cbor/value'
import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { drivePoints, type SeriesPoints } from '@vedette/protocol/metrics/series'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import type { FieldProblem } from '@vedette/protocol/wire/field-reader'
import { randomBytes } from 'node:crypto'
import type { AlertWatch } from '../alerts/rules/alert-watch.ts'
import type { History } from '../history/model/history.ts'
import { batchQueue, type BatchPace } from '../platform/batch-queue.ts'
import type { Clock } from '../platform/clock.ts'
import { databaseFailure, type DatabaseFailure } from '../platform/db/database-failures.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { Log } from '../platform/log.ts'
import type { RecordTableStore } from '../records/engine/engine.ts'
import { storeDrives } from './current-rows.ts'
import { withinBounds } from './sample-bounds.ts'
import { storeSamples, type Arrival, type LeaseFence, type SampleOutcome } from './sample-store.ts'
import { saveState } from '../platform/db/hub-state.ts'
import type { Realtime } from '../records/realtime/realtime.ts'

export type SamplePipeline = AsyncDisposable & {
  /**
   * Queues a received sample to be stored. Resolves to the outcome after the commit, such as stored, or refused because another hub owns
   * the system. Rejects if this sample cannot be stored.
   */
  readonly store: (arrival: Arrival) => Promise<SampleOutcome>
  /** Stores the health of a system's drives (SMART). Their wear and temperature are added to the history with the system's next sample. */
  readonly storeDrives: (system: string, report: DiskHealthReport) => Promise<void>
  /** Returns the number of received samples that are queued and not stored yet. */
  readonly waiting: () => number
  /** Stores all queued samples at once, as before a stop, and resolves when none is left to store. */
  readonly settled: () => Promise<void>
  readonly storing: StoringState
}

type PipelineParts = {
  readonly db: Database
  readonly records: RecordTableStore
  readonly history: History
  readonly clock: Clock
  readonly bus: Pick<EventBus, 'isWatched'>
  readonly alerts: Pick<AlertWatch, 'observe' | 'observeDrives' | 'isUrgent'>
  readonly log: Log
  readonly tryEveryMs?: number
  /**
   * Functions that check whether this hub still owns the systems of the samples to store. Needed when several hubs share the database;
   * `undefined` for a single hub.
   */
  readonly fence?: LeaseFence | undefined
}

/**
 * Decodes the CBOR map of a sample and limits its values. Returns the sample with `problems` (unreadable fields that were left out), or the
 * reason (text) why the whole sample is unreadable.
 */
export function readSample(
  document: CborMap,
):
  | { readonly ok: true; readonly sample: Sample; readonly problems: readonly FieldProblem[] }
  | { readonly ok: false; readonly reason: string } {
  const decoded = decodeDocument(document)
  return decoded.ok ? { ...decoded, sample: withinBounds(decoded.sample) } : decoded
}

/**
 * Creates the functions that store samples in batched transactions and publish them after the commit. Storing pauses while the database is
 * full or unreachable.
 */
export function samplePipeline({ db, records, history, clock, bus, alerts, log, tryEveryMs, fence }: PipelineParts): SamplePipeline {
  const storing = storingState({ db, clock, log, tryEveryMs })
  const queue = batchQueue<Arrival, SampleOutcome>({
    keyOf: ({ system }) => system,
    async store(batch) {
      await fence?.ready()
      return db.write((unit) => storeSamples({ records, unit, dialect: db.dialect }, { history, alerts, clock, fence }, batch), 'process')
    },
    pace: (intervalMs) => (isWatched(bus) ? watchedPace(intervalMs) : UNWATCHED_PACE),
    isUrgent: ({ system, sample }) => alerts.isUrgent(system, sample),
    // A full or unreachable database would also refuse each sample alone.
    isFaultOfOne: (error) => databaseFailure(error) === undefined,
    nowMs: () => performance.now(),
  })
  const readings: DriveReadings = new Map()
  return {
    async store(arrival) {
      if (storing.now().state === 'paused') return { kind: 'storing paused' }
      try {
        const reading = readings.get(arrival.system)
        if (reading === undefined || Math.abs(clock.now() - reading.readAtMs) > READING_WAITS_MS) return await queue.add(arrival)
        const outcome = await queue.add({ ...arrival, drives: reading.points })
        // A later reading waits for the next sample.
        if (outcome.kind === 'stored' && readings.get(arrival.system) === reading) readings.delete(arrival.system)
        return outcome
      } catch (error) {
        if (storing.failed(error)) return { kind: 'storing paused' }
        throw error
      }
    },
    async storeDrives(system, report) {
      await storeDrives({ db, records, alerts, system }, report)
      addReading(readings, system, report, clock.now())
    },
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

/**
 * Names of the collections that samples change: `systems` and `system_stats`, and for containers also `containers` and `container_stats`.
 * Their realtime subscribers count as live viewers.
 */
const SAMPLED = ['systems', 'containers', 'system_stats', 'container_stats'] as const

/**
 * Returns true when a realtime client subscribes to a collection that samples change, such as `systems`. Samples are then stored in shorter
 * intervals.
 */
export const isWatched = ({ isWatched: watches }: Pick<EventBus, 'isWatched'>): boolean => SAMPLED.some(watches)

/**
 * Pace of storing samples in batches while no client views live values, in ms. Batches start at least 1000 apart, and 40 after the batch's
 * first sample.
 */
const UNWATCHED_PACE: BatchPace = { apartMs: 1000, companyMs: 40 }

/**
 * Returns the pace of storing samples in batches while clients view live values. `intervalMs`: average time between two samples. The
 * result's `apartMs`, the minimum time between batches, is 150 / `intervalMs`, at most 50.
 */
const watchedPace = (intervalMs: number): BatchPace => ({ apartMs: Math.min(50, 150 / Math.max(intervalMs, 1)), companyMs: 0 })

/**
 * Map from system id to the last SMART reading of its drives: values by series, and its time. It is stored with the system's next sample:
 * at a time of its own it would be a gap in all other series.
 */
type DriveReadings = Map<string, { readonly points: SeriesPoints; readonly readAtMs: number }>

/** Time in ms after which a drive reading (SMART) is dropped if no sample of its system has arrived: 2 min, twice the polling interval. */
const READING_WAITS_MS = 120_000

function addReading(readings: DriveReadings, system: string, report: DiskHealthReport, nowMs: number): void {
  // Readings of systems that are down or deleted.
  for (const [id, { readAtMs }] of readings) if (Math.abs(nowMs - readAtMs) > READING_WAITS_MS) readings.delete(id)
  const points = drivePoints(report.devices)
  if (points.values.length > 0) readings.set(system, { points, readAtMs: nowMs })
}

/**
 * State of storing samples: `storing`, or `paused` with the reason (database full or unreachable) and `sinceMs`, the start of the pause in
 * epoch ms.
 */
export type Storing =
  | { readonly state: 'storing' }
  | { readonly state: 'paused'; readonly reason: StoringFailure; readonly sinceMs: number }

type StoringFailure = Exclude<DatabaseFailure, 'too slow'>

export type StoringState = AsyncDisposable & {
  readonly now: () => Storing
  /**
   * Call it after a failed write with its `error`. If that means that the database is full or unreachable, it pauses the storing of samples
   * and returns true; otherwise returns false.
   */
  readonly failed: (error: unknown) => boolean
  /** Adds a listener, which is called when storing pauses or resumes. Returns the function that removes it. */
  readonly onChange: (listener: (storing: Storing) => void) => () => void
}

type StoringParts = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly tryEveryMs?: number | undefined
}

/**
 * Size, in bytes (256 KiB), of the trial write that checks whether a full database has space again. After a smaller one the database might
 * be full again at once.
 */
const TRIAL_BYTES = 256 * 1024
const TRIAL = 'room for samples'
const TRY_EVERY_MS = 5000

/**
 * Creates the functions that pause the storing of samples while the database is full or unreachable. A trial write every few seconds
 * detects when the database works again.
 */
export function storingState({ db, clock, log, tryEveryMs = TRY_EVERY_MS }: StoringParts): StoringState {
  const listeners = new Set<(storing: Storing) => void>()
  let storing: Storing = { state: 'storing' }
  let timer: NodeJS.Timeout | undefined
  let trying: Promise<void> | undefined

  function become(next: Storing): void {
    storing = next
    for (const listener of listeners) listener(next)
  }

  function tryLater(): void {
    timer = setTimeout(() => {
      trying = tryStoring()
    }, tryEveryMs).unref()
  }

  async function tryStoring(): Promise<void> {
    try {
      await writeTrial(db)
    } catch (error) {
      if (databaseFailure(error) === undefined) log.error('test write failed', { error })
      if (timer !== undefined) tryLater()
      return
    }
    log.info('storing of samples resumed')
    become({ state: 'storing' })
  }

  return {
    now: () => storing,
    failed(error) {
      const reason = databaseFailure(error)
      if (reason === undefined || reason === 'too slow') return false
      if (storing.state === 'paused') return true
      log.error('storing of samples paused', { reason, error })
      become({ state: 'paused', reason, sinceMs: clock.now() })
      tryLater()
      return true
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer)
      timer = undefined
      await trying
    },
  }
}

/**
 * Sends each pause and resumption of storing samples to signed-in subscribers of the realtime topic `storing`. Returns the function that
 * stops it.
 */
export function serveStoring(realtime: Pick<Realtime, 'topic'>, { onChange }: Pick<StoringState, 'onChange'>): () => void {
  return onChange(realtime.topic({ name: 'storing', authorise: async (actor) => actor !== undefined }))
}

/** Checks that the database accepts writes: writes 256 KiB and deletes them again. Rejects if the write fails. */
async function writeTrial(db: Database): Promise<void> {
  // Random bytes: the database cannot compress them.
  const value = randomBytes(TRIAL_BYTES / 2).toString('hex')
  await db.write(({ sql }) => saveState(sql, TRIAL, value))
  await db.write(({ sql }) => sql.deleteFrom('hub_state').where('name', '=', TRIAL).execute())
}
