import type { EventBus, RecordEvent } from '../events/event-bus.ts'
import type { UnitOfWork } from './database.ts'
import type { Tables } from './schema.ts'
import type { Transaction } from 'kysely'

export type Transactions = {
  readonly begin: <T>(work: (sql: Transaction<Tables>) => Promise<T>) => Promise<T>
  /** Holds a purpose until the transaction ends. */
  readonly lock: (sql: Transaction<Tables>, purpose: string) => Promise<void>
}

/** Runs a transaction and publishes what was emitted in it once it is committed. */
export type PublishCommitted = <T>(transactions: Transactions, work: (unit: UnitOfWork) => Promise<T>) => Promise<T>

/**
 * Publishes in the order of the commits, for each record: transactions that change one record wait for each other in the
 * database, so they emit in the order in which they will commit, but their answers may arrive in another one.
 */
export function publishingTo(bus: EventBus): PublishCommitted {
  /** Record → the end of the last transaction that changed it, while it is open. */
  const changing = new Map<string, Promise<void>>()
  const keyOf = ({ collection, record }: RecordEvent): string => `${collection} ${record.id}`

  return async ({ begin, lock }, work) => {
    const events: RecordEvent[] = []
    const changed: string[] = []
    const earlier = new Set<Promise<void>>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    function emit(event: RecordEvent): void {
      events.push(event)
      // The record of a new sample is nobody else's. Its id would make the whole record, see `RecordEvent`.
      if (event.sample !== undefined) return
      const key = keyOf(event)
      const last = changing.get(key)
      if (last === ended) return
      if (last !== undefined) earlier.add(last)
      changing.set(key, ended)
      changed.push(key)
    }
    try {
      const result = await begin((sql) => work({ sql, emit, alone: (purpose) => lock(sql, purpose) }))
      await Promise.all(earlier)
      for (const event of events) bus.publish(event)
      return result
    } finally {
      for (const key of changed) if (changing.get(key) === ended) changing.delete(key)
      end()
    }
  }
}
