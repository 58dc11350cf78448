import { QueueFullError, QueueLateError } from '../work-queue.ts'

/** Thrown when a client's query exceeds the cost limit of one query. */
export class QuestionTooSlowError extends Error {
  override readonly name = 'QuestionTooSlowError'
}

/** Thrown when a write waited too long in the queue. It was not started. */
export class WriteQueueLateError extends Error {
  override readonly name = 'WriteQueueLateError'
}

/**
 * Failure of a database that is otherwise valid: `away` (unreachable, or locked by another program), `too slow` (a limit was exceeded), or `full` (no disk space).
 * Any other failure is a bug of the hub.
 */
export type DatabaseFailure = 'away' | 'too slow' | 'full'

/** Statement timeout or cancel, and lock timeout: PostgreSQL error codes, classes 57 and 55. */
const CANCELED: ReadonlySet<string> = new Set(['57014', '55P03'])
/** Connection failure, read-only server after a failover, too many connections, shutdown, crash, startup: classes 08, 25, 53 and 57. */
const AWAY = /^(?:08...|25006|53300|57P0[1-5])$/
/** Disk full: PostgreSQL's error code. SQLite: SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the WAL index. */
const DISK_FULL = '53100'
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])
/** SQLITE_BUSY: another program holds the write lock. */
const SQLITE_LOCKED = 5
/** Errors of connecting, of a broken connection (errno(3)), and of a DNS lookup. */
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** The driver's own errors have no code. */
const TERMINATED =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** True when the driver's query timeout ended the query. It is longer than the server's own statement timeout. */
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
  if (CANCELED.has(code)) return 'too slow'
  if (code === 'ERR_SQLITE_ERROR') return sqliteFailure(error)
  if (code === DISK_FULL) return 'full'
  if (AWAY.test(code) || broken.has(code) || isMissingSocket(error) || TERMINATED.test(error.message)) return 'away'
  return databaseFailure(error.cause)
}

function sqliteFailure(error: Error): DatabaseFailure | undefined {
  const result = 'errcode' in error ? error.errcode : undefined
  if (sqliteFull.has(result)) return 'full'
  return result === SQLITE_LOCKED ? 'away' : databaseFailure(error.cause)
}

/** ENOENT means a missing socket file only if `connect` failed. Any other ENOENT does not concern the database. */
const isMissingSocket = (error: Error): boolean =>
  'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
