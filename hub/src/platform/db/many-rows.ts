import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

/** Numbers of rows in one statement. There are only a few sizes, so that each statement stays prepared. */
const SIZES = [64, 16, 4, 1] as const

export type ManyRows = {
  readonly table: string
  /** The first column identifies the row and has a unique index. The others get new values. */
  readonly columns: readonly string[]
  /** One value for each column. All values of a column have the same type. */
  readonly rows: readonly (readonly (string | number)[])[]
}

/** Updates many rows in few statements. Missing rows are not inserted. */
export async function rewriteRows(sql: Kysely<Tables>, database: Database['name'], { table, columns, rows }: ManyRows): Promise<void> {
  const types = rows[0]?.map((value) => typeof value) ?? []
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((one) => one <= rows.length - from) ?? 1
    const parameters = rows.slice(from, from + size).flat()
    await sql.executeQuery(CompiledQuery.raw(rewriting({ database, table, columns, types, size }), parameters))
    from += size
  }
}

export type NewRows = {
  readonly table: string
  readonly columns: readonly string[]
  /** One value for each column. */
  readonly rows: readonly (readonly (string | number | null | Uint8Array)[])[]
  readonly returning: readonly string[]
}

/** Inserts many rows in few statements, in order. Returns the `returning` columns of each. */
export async function insertRows<Row>(
  sql: Kysely<Tables>,
  database: Database['name'],
  { table, columns, rows, returning }: NewRows,
): Promise<readonly Row[]> {
  const added: Row[] = []
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((one) => one <= rows.length - from) ?? 1
    const parameters = rows.slice(from, from + size).flat()
    const result = await sql.executeQuery<Row>(CompiledQuery.raw(inserting({ database, table, columns, returning, size }), parameters))
    for (const row of result.rows) added.push(row)
    from += size
  }
  return added
}

type Inserting = Omit<NewRows, 'rows'> & { readonly database: Database['name']; readonly size: number }

function inserting({ database, table, columns, returning, size }: Inserting): string {
  return written(['insert', database, size, table, ...columns, ...returning].join(' '), () => {
    const placeholder = (row: number, column: number): string => (database === 'sqlite' ? '?' : `$${row * columns.length + column + 1}`)
    const rows = Array.from({ length: size }, (_, row) => `(${columns.map((_name, column) => placeholder(row, column)).join(', ')})`)
    const named = (names: readonly string[]): string => names.map(quoted).join(', ')
    const tail = returning.length === 0 ? '' : ` returning ${named(returning)}`
    return `insert into ${quoted(table)} (${named(columns)}) values ${rows.join(', ')}${tail}`
  })
}

type Rewriting = Pick<ManyRows, 'table' | 'columns'> & {
  readonly database: Database['name']
  readonly types: readonly string[]
  readonly size: number
}

const texts = new Map<string, string>()

/** The cached text of a statement. */
function written(key: string, write: () => string): string {
  const text = texts.get(key) ?? write()
  texts.set(key, text)
  return text
}

function rewriting(of: Rewriting): string {
  const { database, table, columns, types, size } = of
  return written(['update', database, size, table, ...columns, ...types].join(' '), () => rewritingText(of))
}

function rewritingText({ database, table, columns, types, size }: Rewriting): string {
  // PostgreSQL takes the type of each column from the first row.
  const cast = (row: number, column: number): string => (row > 0 ? '' : types[column] === 'number' ? '::float8' : '::text collate "C"')
  const placeholder = (row: number, column: number): string =>
    database === 'sqlite' ? '?' : `$${row * columns.length + column + 1}${cast(row, column)}`
  const rows = Array.from({ length: size }, (_, row) => `(${columns.map((_name, column) => placeholder(row, column)).join(', ')})`)
  const named = (at: number): string => `given.column${at + 1}`
  const assignments = columns.slice(1).map((column, at) => `${quoted(column)} = ${named(at + 1)}`)
  return (
    `update ${quoted(table)} set ${assignments.join(', ')} from (values ${rows.join(', ')}) as given ` +
    `where ${quoted(table)}.${quoted(columns[0] ?? '')} = ${named(0)}`
  )
}

/** Quotes a name of the schema, which keeps its case. */
const quoted = (name: string): string => `"${name}"`
