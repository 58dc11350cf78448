import { randomBytes } from 'node:crypto'
import type { Clock } from '../platform/clock.ts'
import { databaseFailure, type DatabaseFailure } from '../platform/db/database-failures.ts'
import type { Database } from '../platform/db/database.ts'
import { saveState } from '../platform/db/hub-state.ts'
import type { Log } from '../platform/log.ts'
import type { Realtime } from '../records/realtime/realtime.ts'

/** State of storing. `sinceMs` is the start of the pause, in epoch milliseconds. */
export type Storing =
  | { readonly state: 'storing' }
  | { readonly state: 'paused'; readonly reason: StoringFailure; readonly sinceMs: number }

type StoringFailure = Exclude<DatabaseFailure, 'too slow'>

export type StoringState = AsyncDisposable & {
  readonly now: () => Storing
  /** Pauses storing if this error means that the database is full or unreachable. Returns whether storing is paused. */
  readonly failed: (error: unknown) => boolean
  /** Calls the listener at every change. Returns the function that removes it. */
  readonly onChange: (listener: (storing: Storing) => void) => () => void
}

type StoringParts = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly tryEveryMs?: number | undefined
}

/** Size of the trial write: the samples of hundreds of systems. After a smaller one the database would be full again at once. */
const ROOM_BYTES = 256 * 1024
const TRIAL = 'room for samples'
const TRY_EVERY_MS = 5000

/** Pauses storing while the database is full or unreachable. A trial write every few seconds detects when it works again. */
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
      if (databaseFailure(error) === undefined) log.error('the trial of storing failed', { error })
      if (timer !== undefined) tryLater()
      return
    }
    log.info('samples are stored again')
    become({ state: 'storing' })
  }

  return {
    now: () => storing,
    failed(error) {
      const reason = databaseFailure(error)
      if (reason === undefined || reason === 'too slow') return false
      if (storing.state === 'paused') return true
      log.error('storing of samples is paused', { reason, error })
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

/** Sends every change to signed-in subscribers of the topic `storing`. Returns the function that stops it. */
export function serveStoring(realtime: Pick<Realtime, 'topic'>, { onChange }: Pick<StoringState, 'onChange'>): () => void {
  return onChange(realtime.topic({ name: 'storing', authorise: async (actor) => actor !== undefined }))
}

/** Writes as much data as samples need, and removes it. Rejects like any write. */
async function writeTrial(db: Database): Promise<void> {
  // Random bytes: the database cannot compress them.
  const value = randomBytes(ROOM_BYTES / 2).toString('hex')
  await db.write(({ sql }) => saveState(sql, TRIAL, value))
  await db.write(({ sql }) => sql.deleteFrom('hub_state').where('name', '=', TRIAL).execute())
}
