import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

/** Rows in one statement: few sizes, so that each keeps its text and stays prepared. */
const SIZES = [64, 16, 4, 1] as const

export type ManyRows = {
  readonly table: string
  /** The first finds the row: it has a unique index. The others get new values. */
  readonly columns: readonly string[]
  /** A value for each column, of one type in each. */
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Changes many rows in few statements; a row that is not there stays away. */
export async function rewriteRows(sql: Kysely<Tables>, database: Database['name'], { table, columns, rows }: ManyRows): Promise<void> {
  const types = rows[0]?.map((value) => typeof value) ?? []
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((one) => one <= rows.length - from) ?? 1
    const parameters = rows.slice(from, from + size).flat()
    await sql.executeQuery(CompiledQuery.raw(rewriting({ database, table, columns, types, size }), parameters))
    from += size
  }
}

type Rewriting = Pick<ManyRows, 'table' | 'columns'> & {
  readonly database: Database['name']
  readonly types: readonly string[]
  readonly size: number
}

const texts = new Map<string, string>()

function rewriting({ database, table, columns, types, size }: Rewriting): string {
  const key = [database, size, table, ...columns, ...types].join(' ')
  const known = texts.get(key)
  if (known !== undefined) return known
  // PostgreSQL takes the type of each column from the first row.
  const cast = (row: number, column: number): string => (row > 0 ? '' : types[column] === 'number' ? '::float8' : '::text collate "C"')
  const placeholder = (row: number, column: number): string =>
    database === 'sqlite' ? '?' : `$${row * columns.length + column + 1}${cast(row, column)}`
  const rows = Array.from({ length: size }, (_, row) => `(${columns.map((_name, column) => placeholder(row, column)).join(', ')})`)
  const named = (at: number): string => `given.column${at + 1}`
  const assignments = columns.slice(1).map((column, at) => `${quoted(column)} = ${named(at + 1)}`)
  const text =
    `update ${quoted(table)} set ${assignments.join(', ')} from (values ${rows.join(', ')}) as given ` +
    `where ${quoted(table)}.${quoted(columns[0] ?? '')} = ${named(0)}`
  texts.set(key, text)
  return text
}

/** Names are the schema's own; quoting only keeps their case. */
const quoted = (name: string): string => `"${name}"`
