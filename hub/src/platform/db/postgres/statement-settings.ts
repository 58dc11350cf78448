import { isUnanswered } from '../database-failures.ts'
import type { Send } from './at-once.ts'

/** Timeout of an idle transaction. One this old was lost, and its locks must not block others. */
export const IDLE_IN_TRANSACTION_MS = 60_000
/** The same for one of several hubs: a hub that is silent for this long is gone, and the others must go on. */
export const SHARED_IDLE_IN_TRANSACTION_MS = 6_000

type TransactionSettings = {
  readonly statementMs: number
  readonly lockMs: number
  readonly idleMs: number
  readonly isReadOnly: boolean
}

/**
 * Sends every statement in a transaction with its own timeouts. A pooler in transaction mode gives each transaction another session, and
 * refuses settings of a session.
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
        // The error of the statement says more than that of a broken connection. An unanswered connection is dropped.
        if (!(error instanceof Error && isUnanswered(error))) await send('rollback').catch(() => {})
        throw error
      }
    }
  }
}
