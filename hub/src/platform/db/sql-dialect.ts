import type { RawBuilder } from 'kysely'

type Sql = RawBuilder<unknown>

/**
 * SQL of a JSON value at a path, whose type is known only when a row is read. Numbers sort before texts. Objects and lists are their
 * JSON text, true and false are 1 and 0, a missing value is null.
 */
export type DynamicSql = {
  /** 1 for a number, 2 for a text, null for a missing value. */
  readonly rank: Sql
  /** The number. Any value when `rank` is not 1. */
  readonly number: Sql
  /** The text. A number is converted. */
  readonly text: Sql
}

/** SQL that differs between the databases, for `records/`. */
export type SqlDialect = {
  readonly json: (column: Sql, path: readonly string[]) => DynamicSql
  /** A row source named `alias` with one column `value`: the texts of a JSON list. Empty for null and `''`. */
  readonly elements: (column: Sql, alias: string) => Sql
  /** True when the text is one of those of a JSON list. The database finds the rows by an index of the text, however few they are. */
  readonly isAmong: (text: Sql, list: Sql) => Sql
  /** Length of the JSON list. */
  readonly elementCount: (column: Sql) => Sql
  readonly numberAsText: (number: Sql) => Sql
  /** LIKE with `\` as escape. ASCII letters match in either case. */
  readonly like: (text: Sql, pattern: Sql) => Sql
  /** True when one text contains the other. ASCII letters match in either case. */
  readonly contains: (text: Sql, searched: Sql) => Sql
  /** A text that sorts by its bytes. */
  readonly text: (text: Sql) => Sql
  readonly lower: (text: Sql) => Sql
  /** A parameter whose type the database cannot infer. */
  readonly textParameter: (text: string) => Sql
  readonly numberParameter: (value: number) => Sql
  /** True when a JSON list of ids contains this one; ids are letters and digits. Null without a list. */
  readonly holdsId: (column: Sql, id: string) => Sql
  /** A text as JSON; null becomes `''`. */
  readonly jsonOfText: (text: Sql) => Sql
  /** A finite number as JSON; null becomes 0. */
  readonly jsonOfNumber: (number: Sql) => Sql
  /** Joins the texts of all rows with commas, in row order. The result is UTF-8 bytes if the database can return them. */
  readonly joined: (text: Sql) => Sql
  /** Clause after a query for rows that will change. It locks them until the transaction ends. */
  readonly toChange: Sql
  /** A random number for each row, for sorting. */
  readonly random: Sql
}
