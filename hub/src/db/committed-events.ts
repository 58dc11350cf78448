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
export async function publishCommitted<T>(
  bus: EventBus,
  { begin, lock }: Transactions,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> {
  const events: RecordEvent[] = []
  const result = await begin((sql) => work({ sql, emit: (event) => events.push(event), alone: (purpose) => lock(sql, purpose) }))
  for (const event of events) bus.publish(event)
  return result
}
