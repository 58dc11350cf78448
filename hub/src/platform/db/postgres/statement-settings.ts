import { isUnanswered } from '../database-failures.ts'
import type { Send } from './at-once.ts'

/**
 * Time in ms (60 s) after which PostgreSQL ends a transaction that sends no statement. It rolls the transaction back, because its locks
 * would block other connections.
 */
export const IDLE_IN_TRANSACTION_MS = 60_000
/**
 * Time in ms (6 s) after which PostgreSQL ends a transaction that sends no statement, when several hubs share the database. Other hubs
 * count a silent hub as dead after the same 6 s.
 */
export const SHARED_IDLE_IN_TRANSACTION_MS = 6_000

type TransactionSettings = {
  readonly statementMs: number
  readonly lockMs: number
  readonly idleMs: number
  readonly isReadOnly: boolean
}

/**
 * Returns a function that wraps a `Send` function, so that each statement runs in a transaction that sets these timeouts (ms). It is needed
 * behind a pooler in transaction mode, such as PgBouncer, which keeps no session settings.
 */
export function inTransactions({ statementMs, lockMs, idleMs, isReadOnly }: TransactionSettings): (send: Send) => Send {
  const begin = `begin${isReadOnly ? ' read only' : ''};
set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
set local idle_in_transaction_session_timeout = ${idleMs}`
  return (send) => {
    let isOpen = false
    return async (text, parameters) => {
      if (text === 'begin') {
        isOpen = true
        return send(begin)
      }
      if (isOpen) {
        isOpen = text !== 'commit' && text !== 'rollback'
        return send(text, parameters)
      }
      await send(begin)
      try {
        const result = await send(text, parameters)
        await send('commit')
        return result
      } catch (error) {
        // The statement's error says more than a failed rollback. A connection without a response is closed by the pool.
        if (!(error instanceof Error && isUnanswered(error))) await send('rollback').catch(() => {})
        throw error
      }
    }
  }
}
