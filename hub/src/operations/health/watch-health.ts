import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { databaseBytes, saveHealth, waitingMessages } from './health-table.ts'
import { watchProcess } from './process-signs.ts'

export type HealthWatch = AsyncDisposable & {
  /** Measures and keeps a minute now. Never rejects: a database that is away is told of elsewhere, and leaves a gap here. */
  readonly note: () => Promise<void>
}

type HealthParts = {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** How many agents are connected. */
  readonly agents: () => number
  /** How many samples, and entries of the log, wait to be stored. */
  readonly waiting: () => { readonly samples: number; readonly logs: number }
}

const EVERY_MS = 60_000

/** Keeps how the hub itself is, once a minute and when it has started. */
export function watchHealth({ database, clock, log, agents, waiting }: HealthParts): HealthWatch {
  const { read, stop } = watchProcess()
  let noting: Promise<void> = Promise.resolve()

  async function measure(): Promise<void> {
    const signs = read()
    const { samples, logs } = waiting()
    const [bytes, messages] = await Promise.all([databaseBytes(database), waitingMessages(database)])
    const queues = { waitingSamples: samples, waitingMessages: messages, waitingLogs: logs }
    await saveHealth(database, { at: clock.now(), ...signs, databaseBytes: bytes, agents: agents(), ...queues })
  }

  /** One after the other; what a slow database has not taken yet is not waited for twice. */
  function note(): Promise<void> {
    noting = noting.then(measure).catch((error: unknown) => log.debug('the health of the hub was not kept', { error }))
    return noting
  }

  const timer = setInterval(() => void note(), EVERY_MS).unref()
  void note()
  return {
    note,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stop()
      await noting
    },
  }
}
