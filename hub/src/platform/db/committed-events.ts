import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { JournalEvents, UnitOfWork } from './database.ts'
import type { Tables } from './schema.ts'
import type { Transaction } from 'kysely'

export type Transactions = {
  readonly begin: <T>(work: (sql: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** Takes the database lock named `purpose`, such as `migrate`, until the transaction ends. Waits while another transaction has it. */
  readonly lock: (sql: Transaction<Tables>, purpose: string) => Promise<void>
}

/**
 * Function that runs `work` in a database transaction and resolves to its result. After the commit it publishes the transaction's record
 * events on the event bus; after a rollback it publishes none.
 */
export type PublishCommitted = <T>(transactions: Transactions, work: (unit: UnitOfWork) => Promise<T>) => Promise<T>

/**
 * Returns a function that runs a transaction and, after the commit, publishes its record events on `bus`. Events of the same record are
 * published in commit order. `journal` stores the events for other hubs within the transaction.
 */
export function publishingTo(bus: EventBus, journal?: JournalEvents): PublishCommitted {
  /**
   * Map from `COLLECTION ID` of a changed record to a promise. The promise resolves when the last open transaction that changed the record
   * has ended; a later one publishes its events only then.
   */
  const changing = new Map<string, Promise<void>>()
  const keyOf = ({ collection, record }: RecordEvent): string => `${collection} ${record.id}`

  return async ({ begin, lock }, work) => {
    const events: RecordEvent[] = []
    const changed: string[] = []
    const earlier = new Set<Promise<void>>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    function emit(event: RecordEvent): void {
      events.push(event)
      // Only one transaction writes the record of a new sample. Reading the record's id would also build the complete record, see
      // `RecordEvent`.
      if (event.sample !== undefined) return
      const key = keyOf(event)
      const last = changing.get(key)
      if (last === ended) return
      if (last !== undefined) earlier.add(last)
      changing.set(key, ended)
      changed.push(key)
    }
    try {
      const result = await begin(async (sql) => {
        const made = await work({ sql, emit, alone: (purpose) => lock(sql, purpose) })
        await journal?.(sql, events)
        return made
      })
      await Promise.all(earlier)
      for (const event of events) bus.publish(event)
      return result
    } finally {
      for (const key of changed) if (changing.get(key) === ended) changing.delete(key)
      end()
    }
  }
}
