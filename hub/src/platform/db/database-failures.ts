import { QueueFullError, QueueLateError } from '../work-queue.ts'

/** Thrown when a request of a client, such as for a long history, would read more data than one query may. */
export class QuestionTooSlowError extends Error {
  override readonly name = 'QuestionTooSlowError'
}

/** Thrown when a write waited too long in SQLite's write queue. The write was not started and changed nothing. */
export class WriteQueueLateError extends Error {
  override readonly name = 'WriteQueueLateError'
}

/**
 * Name of an operational database error. `away`: unreachable, locked, or a write waited too long in SQLite's queue; `too slow`: over a
 * timeout or limit; `full`: no disk space. Other errors are bugs of the hub.
 */
export type DatabaseFailure = 'away' | 'too slow' | 'full'

/** Set of the PostgreSQL error codes of a cancelled statement: statement timeout (57014) and lock timeout (55P03). */
const CANCELED_CODES: ReadonlySet<string> = new Set(['57014', '55P03'])
/**
 * Regular expression for PostgreSQL error codes of an unavailable server: connection failure, failover, too many connections, shutdown,
 * crash, startup.
 */
const AWAY_CODES = /^(?:08...|25006|53300|57P0[1-5])$/
/** PostgreSQL error code of a full disk: `53100`. `sqliteFull` has the result codes of SQLite. */
const DISK_FULL = '53100'
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])
/** SQLite result code SQLITE_BUSY: another program holds the write lock. */
const SQLITE_LOCKED = 5
/** Set of the Node.js error codes of failed and broken connections (errno(3)), and of failed DNS lookups. */
const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Regular expression for messages of the PostgreSQL driver's own errors for a lost or timed-out connection, which have no code. */
const TERMINATED =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/

/**
 * Returns true when the PostgreSQL driver gave up a query, because the server did not respond. The driver's timeout is longer than the
 * server's own statement timeout.
 */
export const isUnanswered = (error: Error): boolean => error.message === 'Query read timeout'

function ownFailure(error: Error): DatabaseFailure | undefined {
  if ([QuestionTooSlowError, QueueLateError, QueueFullError].some((kind) => error instanceof kind)) return 'too slow'
  return error instanceof WriteQueueLateError ? 'away' : undefined
}

export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const own = ownFailure(error)
  if (own !== undefined) return own
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (CANCELED_CODES.has(code)) return 'too slow'
  if (code === 'ERR_SQLITE_ERROR') return sqliteFailure(error)
  if (code === DISK_FULL) return 'full'
  if (AWAY_CODES.test(code) || connectionErrorCodes.has(code) || isMissingSocket(error) || TERMINATED.test(error.message)) return 'away'
  return databaseFailure(error.cause)
}

function sqliteFailure(error: Error): DatabaseFailure | undefined {
  const result = 'errcode' in error ? error.errcode : undefined
  if (sqliteFull.has(result)) return 'full'
  return result === SQLITE_LOCKED ? 'away' : databaseFailure(error.cause)
}

/** Returns true for a failed connect to PostgreSQL's Unix socket file (ENOENT). Any other ENOENT does not concern the database. */
const isMissingSocket = (error: Error): boolean =>
  'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
