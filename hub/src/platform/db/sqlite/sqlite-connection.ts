import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

/**
 * Maximum time, in ms (3 s), that a write waits for another program's lock on the SQLite file; then it fails. The wait blocks the event
 * loop, so it must be shorter than the hub's shutdown time.
 */
export const LOCK_WAIT_MS = 3_000
/**
 * Maximum number of prepared statements, 256, in the cache of one SQLite connection; the least recently used is dropped. The hub itself has
 * far fewer, but clients' filters vary.
 */
const PREPARED_STATEMENTS = 256

/**
 * Rows of a query result in a compact form: `columns` has the column names once; each row is a list of values in that order. It is cheap to
 * send to another thread.
 */
export type QueryRows = { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

export type SqliteConnection = SqliteDatabase & {
  readonly run: (script: string) => void
  readonly find: (text: string, parameters: readonly unknown[]) => QueryRows
}

/** Returns the rows of a compact query result as plain objects, from column name to value. */
export function asObjects({ columns, rows }: QueryRows): unknown[] {
  return rows.map((values) => {
    const row: { [column: string]: unknown } = {}
    for (let at = 0; at < columns.length; at++) row[columns[at] ?? ''] = values[at]
    return row
  })
}

/**
 * Opens a connection of node:sqlite for Kysely. A write transaction takes the lock at its start (`begin immediate`). Otherwise it would
 * fail if another process wrote in between (SQLite documentation, "Transactions").
 */
export function openSqliteConnection(path: string, access: 'read' | 'write'): SqliteConnection {
  const database = new DatabaseSync(path, { readOnly: access === 'read', timeout: LOCK_WAIT_MS, enableForeignKeyConstraints: true })
  const prepared = new Map<string, Prepared>()
  function prepare(text: string): Prepared {
    const known = prepared.get(text)
    if (known !== undefined) {
      prepared.delete(text)
      prepared.set(text, known)
      return known
    }
    const found = asStatement(database.prepare(text === 'begin' && access === 'write' ? 'begin immediate' : text), /^select\b/.test(text))
    const statement = text === 'rollback' ? whileOpen(found) : found
    prepared.set(text, statement)
    if (prepared.size > PREPARED_STATEMENTS) dropOldest(prepared)
    return statement
  }
  /**
   * Wraps the prepared statement `rollback` so that it runs only while a transaction is open. After an error such as a full disk, SQLite
   * has ended the transaction itself, and a second rollback would fail.
   */
  const whileOpen = (rollback: Prepared): Prepared => ({
    ...rollback,
    run: (parameters) => (database.isTransaction ? rollback.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  })
  return {
    run: (script) => database.exec(script),
    prepare,
    find: (text, parameters) => prepare(text).find(parameters),
    close: () => database.close(),
  }
}

type Prepared = SqliteStatement & { readonly find: (parameters: readonly unknown[]) => QueryRows }

function asStatement(statement: StatementSync, isQuestion: boolean): Prepared {
  const columns = statement.columns().map(({ name }) => name)
  const reader = columns.length > 0
  // Arrays are faster to read, and the row objects of node:sqlite have no prototype.
  statement.setReturnArrays(reader)
  const find = (parameters: readonly unknown[]): QueryRows => {
    const given = parameters.map(asInput)
    const rows: unknown = isQuestion ? readNumbers(statement, given) : statement.all(...given)
    return { columns, rows: rows as QueryRows['rows'] } // arrays, because of `setReturnArrays`
  }
  return {
    reader,
    find,
    all: (parameters) => asObjects(find(parameters)),
    run: (parameters) => statement.run(...parameters.map(asInput)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(asInput))) {
        const values: unknown = row
        yield* asObjects({ columns, rows: [values as readonly unknown[]] }) // an array, because of `setReturnArrays`
      }
    },
  }
}

/** Runs a prepared query and returns its rows. Integers beyond 2^53, for which node:sqlite throws a RangeError, become doubles. */
function readNumbers(statement: StatementSync, parameters: readonly SQLInputValue[]): unknown {
  try {
    return statement.all(...parameters)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    statement.setReadBigInts(true)
    try {
      const rows: unknown = statement.all(...parameters)
      return (rows as readonly (readonly unknown[])[]).map((row) => row.map((one) => (typeof one === 'bigint' ? Number(one) : one))) // arrays
    } finally {
      statement.setReadBigInts(false)
    }
  }
}

function asInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Cannot bind a value of type ${typeof value} to a SQLite statement`)
}

function dropOldest(prepared: Map<string, Prepared>): void {
  for (const text of prepared.keys()) {
    prepared.delete(text)
    return
  }
}
