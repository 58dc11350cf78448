import { DummyDriver, Transaction, type DatabaseConnection, type Dialect } from 'kysely'
import type { PoolClient } from 'pg'
import type { Tables } from '../schema.ts'

/** Sends a statement over a connection and returns the driver's result. */
export type Send = (text: string, parameters?: unknown[]) => Promise<unknown>

/** Statements that open a transaction: the driver needs nothing of their results. */
const OPENING = /^(?:begin|set local) ?/

/**
 * Sends the statements of one turn of the event loop together, and those that open a transaction with the first one after them. Each
 * message wakes a process of the server, which costs as much CPU as a small statement.
 */
export function sendingAtOnce(client: PoolClient): Send {
  let opening: string[] = []
  return async (text, parameters) => {
    if (OPENING.test(text)) {
      opening.push(text)
      return { rows: [] }
    }
    const first = opening.join('; ')
    opening = []
    // Nothing was sent yet that it could end.
    if (first !== '' && (text === 'commit' || text === 'rollback')) return { command: text.toUpperCase(), rows: [] }
    cork(client)
    if (first === '') return client.query(text, parameters)
    const [, result] = await Promise.all([client.query(first), client.query(text, parameters)])
    return result
  }
}

function cork({ connection: { stream } }: PoolClient): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The same transaction, without waiting for each statement's result before the next one is sent. */
export async function withoutWaiting(transaction: Transaction<Tables>, dialect: Dialect): Promise<Transaction<Tables>> {
  const waiting = transaction.getExecutor()
  const connection = await waiting.provideConnection(async (one): Promise<DatabaseConnection> => one)
  const executor = waiting.withConnectionProvider({ provideConnection: (use) => use(connection) })
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor })
}
