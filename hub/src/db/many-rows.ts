import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './schema.ts'

/** Rows in one statement: few sizes, so that each keeps its text and stays prepared. */
const SIZES = [64, 16, 4, 1] as const

export type ManyRows = {
  readonly table: string
  /** The first finds the row: it has a unique index. */
  readonly columns: readonly string[]
  /** A value for each column. */
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** Writes rows that are there already, many in one statement: every column but the first gets its new value. */
export async function rewriteRows(sql: Kysely<Tables>, database: Database['name'], { table, columns, rows }: ManyRows): Promise<void> {
  for (let from = 0; from < rows.length;) {
    const size = SIZES.find((one) => one <= rows.length - from) ?? 1
    const parameters = rows.slice(from, from + size).flat()
    await sql.executeQuery(CompiledQuery.raw(rewriting({ database, table, columns, size }), parameters))
    from += size
  }
}

type Rewriting = Pick<ManyRows, 'table' | 'columns'> & { readonly database: Database['name']; readonly size: number }

const texts = new Map<string, string>()

/** An insert that always meets its row: the one form in which both databases know the types of the parameters of many rows. */
function rewriting({ database, table, columns, size }: Rewriting): string {
  const key = `${database} ${size} ${table} ${columns.join(' ')}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const placeholder = (at: number): string => (database === 'sqlite' ? '?' : `$${at + 1}`)
  const row = (at: number): string => `(${columns.map((_, column) => placeholder(at * columns.length + column)).join(', ')})`
  const [first = '', ...others] = columns.map(quoted)
  const text =
    `insert into ${quoted(table)} (${[first, ...others].join(', ')}) values ${Array.from({ length: size }, (_, at) => row(at)).join(', ')} ` +
    `on conflict (${first}) do update set ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`
  texts.set(key, text)
  return text
}

/** Names are the schema's own; quoting only keeps their case. */
const quoted = (name: string): string => `"${name}"`
