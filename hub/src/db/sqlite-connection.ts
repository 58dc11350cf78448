import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'

const BUSY_TIMEOUT_MS = 5_000
/** Statements kept prepared; the hub's own number is far below, clients' filters come and go. */
const PREPARED_STATEMENTS = 256

export type SqliteConnection = SqliteDatabase & { readonly run: (script: string) => void }

/**
 * What Kysely asks of SQLite, answered by node:sqlite. A writer takes the write lock when its transaction begins: one that
 * takes it later fails at once when another process wrote in between (SQLite documentation, "Transactions").
 */
export function openSqliteConnection(path: string, access: 'read' | 'write'): SqliteConnection {
  const database = new DatabaseSync(path, { readOnly: access === 'read', timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  const prepared = new Map<string, SqliteStatement>()
  return {
    run: (script) => database.exec(script),
    prepare(text) {
      const known = prepared.get(text)
      if (known !== undefined) {
        prepared.delete(text)
        prepared.set(text, known)
        return known
      }
      const statement = asStatement(database.prepare(text === 'begin' && access === 'write' ? 'begin immediate' : text))
      prepared.set(text, statement)
      if (prepared.size > PREPARED_STATEMENTS) dropOldest(prepared)
      return statement
    },
    close: () => database.close(),
  }
}

function asStatement(statement: StatementSync): SqliteStatement {
  const reader = statement.columns().length > 0
  return {
    reader,
    // node:sqlite gives rows without a prototype; ours are ordinary objects on both databases.
    all: (parameters) => statement.all(...parameters.map(asInput)).map((row) => ({ ...row })),
    run: (parameters) => statement.run(...parameters.map(asInput)),
    iterate: (parameters) => statement.iterate(...parameters.map(asInput)),
  }
}

function asInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Cannot bind a value of type ${typeof value} to a SQLite statement`)
}

function dropOldest(prepared: Map<string, SqliteStatement>): void {
  for (const text of prepared.keys()) {
    prepared.delete(text)
    return
  }
}
