import { DummyDriver, Transaction, type DatabaseConnection, type Dialect } from 'kysely'
import type { PoolClient } from 'pg'
import type { Tables } from '../schema.ts'

/**
 * Function that sends one SQL statement `text` over a database connection; `parameters` are the values for `$1`, `$2` and so on. Resolves
 * to the result object of the driver `pg`, with `rows`.
 */
export type Send = (text: string, parameters?: unknown[]) => Promise<unknown>

/**
 * Regular expression for `begin` and `set local`, the SQL statements that open a transaction. Nobody needs their results, so they are sent
 * together with the next statement.
 */
const OPENING = /^(?:begin|set local) ?/

/**
 * Returns a `Send` function for a connection that needs fewer round trips: statements of one event loop turn leave in one packet. `begin`
 * and `set local` wait for the next statement.
 */
export function batchedSend(client: PoolClient): Send {
  let opening: string[] = []
  return async (text, parameters) => {
    if (OPENING.test(text)) {
      opening.push(text)
      return { rows: [] }
    }
    const first = opening.join('; ')
    opening = []
    // The transaction was never opened on the server, so there is nothing to end.
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

/**
 * Resolves to a Kysely transaction like `transaction`, on the same connection, that sends each statement without waiting for earlier
 * results (pipelining). Each statement's promise rejects on its own.
 */
export async function pipelinedTransaction(transaction: Transaction<Tables>, dialect: Dialect): Promise<Transaction<Tables>> {
  const waiting = transaction.getExecutor()
  const connection = await waiting.provideConnection(async (one): Promise<DatabaseConnection> => one)
  const executor = waiting.withConnectionProvider({ provideConnection: (use) => use(connection) })
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor })
}
