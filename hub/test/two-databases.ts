import assert from 'node:assert/strict'
import { changeJournal, type Following } from '../src/platform/cluster/change-journal.ts'
import type { Database } from '../src/platform/db/database.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'
import { inProcessEventBus, type EventBus, type RecordEvent } from '../src/platform/events/event-bus.ts'
import { secretBox } from '../src/platform/secrets/secret-box.ts'
import { collectedLog } from './collected-log.ts'
import { databases, silentLog } from './databases.ts'

export const secrets = secretBox(Buffer.alloc(32, 7))

/** One hub's side of a database that several share. */
export type HubSide = AsyncDisposable & {
  readonly database: Database
  readonly bus: EventBus
  readonly events: readonly RecordEvent[]
  readonly following: Following
  /** True after changes were missed for good. */
  readonly hasMissed: () => boolean
}

const found = databases.find(({ name }) => name === 'postgres')
assert.ok(found)
export const postgres = found

/** A new PostgreSQL database, and a function that opens it as the hub with an id. */
export async function sharedDatabase() {
  const stack = new AsyncDisposableStack()
  const { at } = stack.use(await postgres.ready())
  const { log, lines } = collectedLog()

  async function open(hub: string, more: { readonly missedAfterMs?: number } = {}): Promise<HubSide> {
    const bus = inProcessEventBus()
    const events: RecordEvent[] = []
    bus.subscribe('all', (event) => events.push(event))
    const journal = changeJournal({ hub, isRelevant: ({ collection }) => collection !== 'unheard' })
    const database = await openDatabase({ at, bus, log: silentLog, journal: journal.store })
    let missed = false
    const following = await journal.follow({ database, bus, secrets, log, onMissed: () => (missed = true), ...more })
    return {
      database,
      bus,
      events,
      following,
      hasMissed: () => missed,
      async [Symbol.asyncDispose]() {
        await following[Symbol.asyncDispose]()
        await database.close()
      },
    }
  }

  return { open, lines, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
