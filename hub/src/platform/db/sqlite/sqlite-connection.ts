import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

const BUSY_TIMEOUT_MS = 5_000
/** Statements kept prepared; the hub's own number is far below, clients' filters come and go. */
const PREPARED_STATEMENTS = 256

/** What a question found, as plain lists: the least that can be handed to another thread. */
export type FoundRows = { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }

export type SqliteConnection = SqliteDatabase & {
  readonly run: (script: string) => void
  readonly find: (text: string, parameters: readonly unknown[]) => FoundRows
}

/** Each row as an ordinary object, as both databases give it. */
export function asObjects({ columns, rows }: FoundRows): unknown[] {
  return rows.map((values) => {
    const row: { [column: string]: unknown } = {}
    for (let at = 0; at < columns.length; at++) row[columns[at] ?? ''] = values[at]
    return row
  })
}

/**
 * What Kysely asks of SQLite, answered by node:sqlite. A writer takes the write lock when its transaction begins: one that
 * takes it later fails at once when another process wrote in between (SQLite documentation, "Transactions").
 */
export function openSqliteConnection(path: string, access: 'read' | 'write'): SqliteConnection {
  const database = new DatabaseSync(path, { readOnly: access === 'read', timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
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
  /** A full disk ends a transaction by itself (SQLite documentation, "Response To Errors Within A Transaction"): then there is nothing to take back. */
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

type Prepared = SqliteStatement & { readonly find: (parameters: readonly unknown[]) => FoundRows }

function asStatement(statement: StatementSync, isQuestion: boolean): Prepared {
  const columns = statement.columns().map(({ name }) => name)
  const reader = columns.length > 0
  // Lists are read faster than objects, and node:sqlite's objects have no prototype.
  statement.setReturnArrays(reader)
  const find = (parameters: readonly unknown[]): FoundRows => {
    const given = parameters.map(asInput)
    const rows: unknown = isQuestion ? readNumbers(statement, given) : statement.all(...given)
    return { columns, rows: rows as FoundRows['rows'] } // lists, as it was told
  }
  return {
    reader,
    find,
    all: (parameters) => asObjects(find(parameters)),
    run: (parameters) => statement.run(...parameters.map(asInput)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(asInput))) {
        const values: unknown = row
        yield* asObjects({ columns, rows: [values as readonly unknown[]] }) // a list, as it was told
      }
    },
  }
}

/** Whole numbers beyond 2^53 are kept as they are, and refused where numbers are read: as doubles, then. */
function readNumbers(statement: StatementSync, parameters: readonly SQLInputValue[]): unknown {
  try {
    return statement.all(...parameters)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    statement.setReadBigInts(true)
    try {
      const rows: unknown = statement.all(...parameters)
      return (rows as readonly (readonly unknown[])[]).map((row) => row.map((one) => (typeof one === 'bigint' ? Number(one) : one))) // lists, as it was told
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
