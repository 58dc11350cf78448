import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import { arrayParameter, type ColumnValue } from './postgres/array-parameter.ts'
import type { Tables } from './schema.ts'

/**
 * Numbers of rows in one SQLite statement: 64, 16, 4, 1. 90 rows, for example, take statements of 64, 16, 4, 4, 1 and 1 rows. So few
 * different statements have to be prepared.
 */
const SIZES = [64, 16, 4, 1] as const

export type ManyRows = {
  readonly table: string
  /**
   * Column names of the table to update: key columns first, then those that get new values. The first key column needs a unique index;
   * further ones restrict the selected row.
   */
  readonly columns: readonly string[]
  /** Number of key columns at the start of `columns`, whose values together select the row to update. All later columns get new values. */
  readonly keys: number
  /** Rows to update, each a list with one value for each name in `columns`. All values of a column have the same type. */
  readonly rows: readonly (readonly (string | number)[])[]
}

/**
 * Updates many rows of a table: on PostgreSQL with one statement, on SQLite with one for each group of up to 64 rows. Rows that do not
 * exist are skipped, not inserted.
 */
export async function rewriteRows(
  sql: Kysely<Tables>,
  database: Database['name'],
  { table, columns, keys, rows }: ManyRows,
): Promise<void> {
  if (rows.length === 0) return
  const named = (at: number): string => `given.column${at + 1}`
  const assignments = columns.slice(keys).map((column, at) => `${quoted(column)} = ${named(at + keys)}`)
  const update = (source: string, collation: string): string => {
    const same = columns.slice(0, keys).map((column, at) => `${quoted(table)}.${quoted(column)} = ${named(at)}${collation}`)
    return `update ${quoted(table)} set ${assignments.join(', ')} from ${source} where ${same.join(' and ')}`
  }
  if (database === 'postgres') {
    const { source, parameters } = arraysOf(rows)
    const names = columns.map((_, at) => `column${at + 1}`).join(', ')
    const text = update(`${source} as given (${names})`, ' collate "C"')
    await sql.executeQuery(CompiledQuery.raw(text, parameters))
    return
  }
  for (const some of inSizes(rows)) {
    const text = cachedText(['update', some.length, keys, table, ...columns].join(' '), () =>
      update(`(values ${placeholders(some.length, columns)}) as given`, ''),
    )
    await sql.executeQuery(CompiledQuery.raw(text, some.flat()))
  }
}

export type NewRows = {
  readonly table: string
  readonly columns: readonly string[]
  /** Rows to insert, each a list with one value for each name in `columns`. All values of a column have the same type, except nulls. */
  readonly rows: readonly (readonly ColumnValue[])[]
  readonly returning?: readonly string[]
}

/**
 * Inserts many rows in order: on PostgreSQL with one statement, on SQLite with one for each group of up to 64 rows. Resolves to the columns
 * `returning` of each inserted row, in the same order.
 */
export async function insertRows<Row>(
  sql: Kysely<Tables>,
  database: Database['name'],
  { table, columns, rows, returning = [] }: NewRows,
): Promise<readonly Row[]> {
  if (rows.length === 0) return []
  const named = (names: readonly string[]): string => names.map(quoted).join(', ')
  const results = returning.length === 0 ? '' : ` returning ${named(returning)}`
  const insert = (source: string): string => `insert into ${quoted(table)} (${named(columns)}) ${source}${results}`
  if (database === 'postgres') {
    const { source, parameters } = arraysOf(rows)
    return (await sql.executeQuery<Row>(CompiledQuery.raw(insert(`select * from ${source}`), parameters))).rows
  }
  const added: Row[] = []
  for (const some of inSizes(rows)) {
    const text = cachedText(['insert', some.length, table, ...columns, ...returning].join(' '), () =>
      insert(`values ${placeholders(some.length, columns)}`),
    )
    for (const row of (await sql.executeQuery<Row>(CompiledQuery.raw(text, some.flat()))).rows) added.push(row)
  }
  return added
}

function* inSizes<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((one) => one <= rows.length - from) ?? 1
    yield rows.slice(from, from + size)
    from += size
  }
}

const placeholders = (rows: number, columns: readonly string[]): string =>
  Array.from({ length: rows }, () => `(${columns.map(() => '?').join(', ')})`).join(', ')

/**
 * Converts rows to SQL parameters: `parameters` has one PostgreSQL array for each column. `source` is the SQL `unnest($1::…)`, which turns
 * the parameters into rows again.
 */
export function arraysOf(rows: readonly (readonly ColumnValue[])[]): { readonly source: string; readonly parameters: Buffer[] } {
  const arrays = (rows[0] ?? []).map((_, at) => arrayParameter(rows.map((row) => row[at] ?? null)))
  return {
    source: `unnest(${arrays.map(({ type }, at) => `$${at + 1}::${type}`).join(', ')})`,
    parameters: arrays.map(({ bytes }) => bytes),
  }
}

const texts = new Map<string, string>()

/** Returns the SQL text that the cache has under `key`. If it has none, calls `write`, which builds the text, and caches the result. */
function cachedText(key: string, write: () => string): string {
  const text = texts.get(key) ?? write()
  texts.set(key, text)
  return text
}

/** Returns a table or column name in double quotes, so that PostgreSQL keeps its upper-case letters. */
const quoted = (name: string): string => `"${name}"`
