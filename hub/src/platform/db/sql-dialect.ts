import type { RawBuilder } from 'kysely'

type Sql = RawBuilder<unknown>

/**
 * SQL expressions for type, number and text of a JSON value whose type is known only when a row is read. Objects and lists count as their
 * JSON text, true and false as 1 and 0, a missing value as null.
 */
export type DynamicSql = {
  /** SQL expression of a JSON value's type, by which values are sorted first: 1 for a number, 2 for a text, null for a missing value. */
  readonly rank: Sql
  /** SQL expression of a JSON value as number. Its result is meaningless unless `rank` is 1. */
  readonly number: Sql
  /** SQL expression of a JSON value as text. A number is converted. */
  readonly text: Sql
}

/** Functions that build the SQL expressions which differ between SQLite and PostgreSQL. */
export type SqlDialect = {
  readonly json: (column: Sql, path: readonly string[]) => DynamicSql
  /**
   * Returns SQL of a row source, named `alias`, with one row for each element of a JSON list of texts in its column `value`. No rows for
   * null and `''`.
   */
  readonly elements: (column: Sql, alias: string) => Sql
  /** Returns the SQL condition that a text is an element of a JSON list. The database can use an index on the text. */
  readonly isAmong: (text: Sql, list: Sql) => Sql
  /** Returns SQL of the length of a JSON list; 0 for null and `''`. */
  readonly elementCount: (column: Sql) => Sql
  readonly numberAsText: (number: Sql) => Sql
  /** Returns the SQL condition that a text matches a LIKE pattern, with `\` as escape. ASCII letters match in either case. */
  readonly like: (text: Sql, pattern: Sql) => Sql
  /** Returns the SQL condition that `text` contains `searched`. ASCII letters match in either case. */
  readonly contains: (text: Sql, searched: Sql) => Sql
  /** Returns SQL of a text expression with byte-wise collation, for sorting and comparing by its bytes. */
  readonly text: (text: Sql) => Sql
  readonly lower: (text: Sql) => Sql
  /** Returns SQL of a text parameter with an explicit type, for places where the database cannot infer it. */
  readonly textParameter: (text: string) => Sql
  readonly numberParameter: (value: number) => Sql
  /** Returns the SQL condition that a JSON list of ids in `column` contains `id`. Ids are letters and digits. Null without a list. */
  readonly holdsId: (column: Sql, id: string) => Sql
  /** Returns SQL that writes a text as JSON string; null becomes `""`. */
  readonly jsonOfText: (text: Sql) => Sql
  /** Returns SQL that writes a finite number as JSON; null becomes 0. */
  readonly jsonOfNumber: (number: Sql) => Sql
  /** Returns the SQL aggregate that joins the texts of all rows with commas, in row order. The result may be UTF-8 bytes or a text. */
  readonly joined: (text: Sql) => Sql
  /** SQL clause `for update` at the end of a query, which locks the selected rows until the transaction ends. Empty on SQLite. */
  readonly toChange: Sql
  /** SQL expression of a random number for each row, for sorting. */
  readonly random: Sql
}
