import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { UnitOfWork } from './database.ts'
import type { Tables } from './schema.ts'
import type { Transaction } from 'kysely'

/** Runs a transaction that `begin` opens and publishes what was emitted in it once it is committed. */
export async function publishCommitted<T>(
  bus: EventBus,
  begin: (work: (sql: Transaction<Tables>) => Promise<T>) => Promise<T>,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  const events: RecordEvent[] = []
  const result = await begin(async (sql) => {
    // A retried transaction starts over, and so do its events.
    events.length = 0
    return work({ sql, emit: (event) => events.push(event) })
  })
  for (const event of events) bus.publish(event)
  return result
}
