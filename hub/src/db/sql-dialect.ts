import type { Expression, RawBuilder } from 'kysely'

/** Where the databases differ in what `records/` asks of them. */
export type SqlDialect = {
  /** The text at a path inside a JSON text column; SQL null when there is nothing. */
  readonly jsonText: (column: Expression<unknown>, path: readonly string[]) => RawBuilder<string | null>
}
