import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Duties } from '../../platform/cluster/duties.ts'
import type { Log } from '../../platform/log.ts'
import { startLoop } from '../../platform/loop.ts'
import { databaseBytes, saveHealth, waitingMessages } from './health-table.ts'
import { saveLoad } from './hub-list.ts'
import { watchProcess } from './process-signs.ts'

export type HealthWatch = AsyncDisposable & {
  /**
   * Measures the CPU, memory and queues of the hub itself and stores the result now, instead of at the next minute. Never rejects; a
   * failure is only logged.
   */
  readonly note: () => Promise<void>
}

type HealthParts = {
  readonly database: Database
  readonly duties: Duties
  /** Id of this hub, under which its load is stored when several hubs share the database; `undefined` for a single hub. */
  readonly hub?: string | undefined
  readonly clock: Clock
  readonly log: Log
  /** Function that returns the number of agents that are connected to this hub. */
  readonly agents: () => number
  /** Returns how many samples (`samples`) and how many log entries (`logs`) this hub holds in memory and has not stored yet. */
  readonly waiting: () => { readonly samples: number; readonly logs: number }
}

const EVERY_MS = 60_000
/**
 * Time in ms (10 s) after a missed measurement. If the hub that stores the history (`hub_health`) has not measured by then, another hub of
 * the database does it from then on.
 */
const TAKEN_AFTER_MS = 10_000

/**
 * Starts to measure the hub at its start and then once a minute. One of several hubs stores the history (`hub_health`); each stores its
 * own load. Returns functions that measure at once and stop.
 */
export function watchHealth({ database, duties, hub, clock, log, agents, waiting }: HealthParts): HealthWatch {
  const { read, stop } = watchProcess()

  async function measure(): Promise<number> {
    const signs = read()
    const { samples, logs } = waiting()
    const [bytes, messages] = await Promise.all([databaseBytes(database), waitingMessages(database)])
    const queues = { waitingSamples: samples, waitingMessages: messages, waitingLogs: logs }
    if (hub !== undefined) await saveLoad(database, { hub, at: clock.now(), ...signs })
    // The history shows one hub: the one that has the duty.
    await duties.perform({ name: 'hub health', keptMs: EVERY_MS + TAKEN_AFTER_MS }, () =>
      saveHealth(database, { at: clock.now(), ...signs, databaseBytes: bytes, agents: agents(), ...queues }),
    )
    return EVERY_MS
  }

  const onError = (error: unknown): void => log.debug('hub health not stored', { error })
  const loop = startLoop({ work: measure, onError })
  return {
    note: loop.run,
    async [Symbol.asyncDispose]() {
      stop()
      await loop[Symbol.asyncDispose]()
    },
  }
}
