import { randomBytes } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { saveState } from '../platform/db/hub-state.ts'
import { databaseFailure, type DatabaseFailure } from '../platform/db/database-failures.ts'
import type { Log } from '../platform/log.ts'
import type { Realtime } from '../records/realtime/realtime.ts'
import type { Ingest } from './ingest.ts'

/** Whether samples are being stored; `sinceMs`: since when not, epoch milliseconds. */
export type Storing =
  | { readonly state: 'storing' }
  | { readonly state: 'paused'; readonly reason: StoringFailure; readonly sinceMs: number }

type StoringFailure = Exclude<DatabaseFailure, 'too slow'>

/** A sample came while nothing could be stored. */
export class StoringPausedError extends Error {
  override readonly name = 'StoringPausedError'
}

export type PausableIngest = AsyncDisposable & {
  readonly ingest: Ingest
  readonly storing: () => Storing
  /** Told of every change. Returns the undo. */
  readonly onChange: (listener: (storing: Storing) => void) => () => void
}

type PausableParts = {
  readonly ingest: Ingest
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly tryEveryMs?: number
}

/** Room for the samples of hundreds of systems: with less it would be full again at once. */
const ROOM_BYTES = 256 * 1024
const TRIAL = 'room for samples'

/**
 * Stores samples until the database has no room or is away. From then on samples are turned away without asking it, and
 * every few seconds a trial finds out whether storing works again.
 */
export function pausableIngest({ ingest, db, clock, log, tryEveryMs = 5000 }: PausableParts): PausableIngest {
  const listeners = new Set<(storing: Storing) => void>()
  let storing: Storing = { state: 'storing' }
  let timer: NodeJS.Timeout | undefined
  let trying: Promise<void> | undefined

  function become(next: Storing): void {
    storing = next
    for (const listener of listeners) listener(next)
  }

  function pause(reason: StoringFailure, error: unknown): void {
    if (storing.state === 'paused') return
    log.error('samples are not stored for now', { reason, error })
    become({ state: 'paused', reason, sinceMs: clock.now() })
    tryLater()
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
      const reason = databaseFailure(error)
      if (reason === undefined) log.error('the trial of storing failed', { error })
      if (timer !== undefined) tryLater()
      return
    }
    log.info('samples are stored again')
    become({ state: 'storing' })
  }

  return {
    ingest: {
      ...ingest,
      async store(arrival) {
        if (storing.state === 'paused') throw new StoringPausedError('Nothing can be stored for now')
        try {
          return await ingest.store(arrival)
        } catch (error) {
          const reason = databaseFailure(error)
          if (reason === undefined || reason === 'too slow') throw error
          pause(reason, error)
          throw new StoringPausedError('Nothing can be stored for now', { cause: error })
        }
      },
    },
    storing: () => storing,
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

/** Sends every change to whoever is signed in and subscribed to the topic `storing`. Returns the undo. */
export function serveStoring(realtime: Pick<Realtime, 'topic'>, { onChange }: Pick<PausableIngest, 'onChange'>): () => void {
  return onChange(realtime.topic({ name: 'storing', authorise: async (actor) => actor !== undefined }))
}

/** Takes as much room as samples need, and gives it back. Rejects as any write does. */
async function writeTrial(db: Database): Promise<void> {
  // What cannot be compressed.
  const value = randomBytes(ROOM_BYTES / 2).toString('hex')
  await db.write(({ sql }) => saveState(sql, TRIAL, value))
  await db.write(({ sql }) => sql.deleteFrom('hub_state').where('name', '=', TRIAL).execute())
}
