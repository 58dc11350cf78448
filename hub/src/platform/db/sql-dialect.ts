import type { RawBuilder } from 'kysely'

type Sql = RawBuilder<unknown>

/**
 * SQL expressions for type, number and text of one JSON value whose type is known only when a row is read. Objects and lists count as texts
 * (their JSON), true and false as the numbers 1 and 0.
 */
export type DynamicSql = {
  /**
   * SQL expression of a JSON value's type: 1 for numbers and booleans, 2 for texts, lists and objects, SQL null for a missing value or JSON
   * null. Sorting by it puts numbers before texts.
   */
  readonly rank: Sql
  /** SQL expression of a JSON value as number; true is 1 and false 0. Use it only where the expression `rank` is 1. */
  readonly number: Sql
  /** SQL expression of a JSON value as text. A list or object becomes its JSON, a number its digits, true 1 and false 0. */
  readonly text: Sql
}

/**
 * Functions and texts that build SQL in which SQLite and PostgreSQL differ, such as `elements` of a JSON list. Each of the two databases
 * has an implementation.
 */
export type SqlDialect = {
  readonly json: (column: Sql, path: readonly string[]) => DynamicSql
  /**
   * Returns SQL for a `from` clause: a table with the name `alias` and one row for each element of a JSON list of texts, in its column
   * `value`. No rows for null and `''`.
   */
  readonly elements: (column: Sql, alias: string) => Sql
  /**
   * Returns the SQL condition that the text `text` is one of the elements of the JSON list `list`; both are SQL expressions. The database
   * can use an index on `text`.
   */
  readonly isAmong: (text: Sql, list: Sql) => Sql
  /** Returns an SQL expression of the number of elements of a JSON list in the given SQL expression; 0 for null and `''`. */
  readonly elementCount: (column: Sql) => Sql
  readonly numberAsText: (number: Sql) => Sql
  /** Returns the SQL condition that a text matches a LIKE pattern with `\` as escape character. It ignores the case of ASCII letters. */
  readonly like: (text: Sql, pattern: Sql) => Sql
  /**
   * Returns the SQL condition that the text `text` contains the text `searched`, both SQL expressions. It ignores the case of ASCII
   * letters.
   */
  readonly contains: (text: Sql, searched: Sql) => Sql
  /** Returns the SQL condition that `text` contains the constant `searched`, byte for byte. A null text contains nothing. */
  readonly containsExactly: (text: Sql, searched: string) => Sql
  /**
   * Returns an SQL expression of the given text expression with byte-wise collation. Sorting and comparing by it is the same on SQLite and
   * PostgreSQL.
   */
  readonly text: (text: Sql) => Sql
  readonly lower: (text: Sql) => Sql
  /** Returns SQL of a parameter with the value `text` and an explicit type, for positions where PostgreSQL cannot infer the type. */
  readonly textParameter: (text: string) => Sql
  readonly numberParameter: (value: number) => Sql
  /**
   * Returns the SQL condition that a JSON list of ids in `column` contains `id`. Ids are letters and digits. Without a list it is SQL null,
   * not true.
   */
  readonly holdsId: (column: Sql, id: string) => Sql
  /** Returns an SQL expression of the JSON string for a text expression, with quotes and escapes; null becomes `""`. */
  readonly jsonOfText: (text: Sql) => Sql
  /** Returns an SQL expression of the JSON text for a finite number expression; null becomes 0. */
  readonly jsonOfNumber: (number: Sql) => Sql
  /** Returns an SQL expression that concatenates 2 to 100 text expressions, none of which may be null. */
  readonly concatenated: (texts: readonly Sql[]) => Sql
  /**
   * Returns the SQL aggregate that joins the texts of all rows to one value, with commas between them, in row order. The value may be UTF-8
   * bytes or a text.
   */
  readonly joined: (text: Sql) => Sql
  /**
   * SQL keywords for a `with` query that is used once: `materialized` on PostgreSQL, `not materialized` on SQLite. Each is the faster
   * choice: without it PostgreSQL needs about 0.4 µs more a row, and SQLite with stored rows 15 % more time.
   */
  readonly usedOnce: Sql
  /**
   * SQL text `for update`, to append to a query in a transaction that will change the selected rows. It locks them until the transaction
   * ends. Empty on SQLite.
   */
  readonly toChange: Sql
  /** SQL expression of a random number for each row, by which a query sorts rows in random order. */
  readonly random: Sql
}
