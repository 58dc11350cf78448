import { QueueFullError, QueueLateError } from '../work-queue.ts'

/** Why a query is refused: a client asked for more work than one query may cost. */
export class QuestionTooSlowError extends Error {
  override readonly name = 'QuestionTooSlowError'
}

/** Why a write was not begun: those before it took too long. Nothing of it was done. */
export class WriteQueueLateError extends Error {
  override readonly name = 'WriteQueueLateError'
}

/**
 * What failed of a database that is otherwise right: it is away for now, it was asked for too much, or there is no room to
 * write. Anything else is a fault of ours.
 */
export type DatabaseFailure = 'away' | 'too slow' | 'full'

/** Statement timeout or cancel: PostgreSQL's error codes, class 57. */
const CANCELED = '57014'
/** Connection exceptions, too many connections, shutting down, crashed, starting up: PostgreSQL's error codes, classes 08, 53 and 57. */
const AWAY = /^(?:08...|53300|57P0[1-5])$/
/** No room on the disk: PostgreSQL's error code; SQLite's SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of its log. */
const DISK_FULL = '53100'
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])
/** Of connecting and of a connection that broke: errno(3), and what looking up a name ends with. */
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
/** What the driver says itself has no code. */
const TERMINATED =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** The driver waited for a response longer than the server may take. */
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
  if (code === CANCELED) return 'too slow'
  if (code === DISK_FULL || sqliteFull.has(sqliteResultOf(error))) return 'full'
  if (AWAY.test(code) || broken.has(code) || isMissingSocket(error) || TERMINATED.test(error.message)) return 'away'
  return databaseFailure(error.cause)
}

const sqliteResultOf = (error: Error): unknown =>
  'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error ? error.errcode : undefined

/** A socket file that is missing is an ENOENT of connecting; of anything else it is not about the database. */
const isMissingSocket = (error: Error): boolean =>
  'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
