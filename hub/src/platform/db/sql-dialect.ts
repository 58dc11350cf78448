import type { RawBuilder } from 'kysely'

type Sql = RawBuilder<unknown>

/**
 * A value whose type is known only when a row is read: JSON at a path. Ordered as numbers before texts; objects and lists
 * are their JSON text, true and false 1 and 0, what is not there null.
 */
export type DynamicSql = {
  /** 1 for a number, 2 for a text, null for nothing. */
  readonly rank: Sql
  /** The number, whatever when it is none. */
  readonly number: Sql
  /** The text, also of a number. */
  readonly text: Sql
}

/** Where the databases differ in what `records/` asks of them. */
export type SqlDialect = {
  readonly json: (column: Sql, path: readonly string[]) => DynamicSql
  /** A row source called `alias` with one column `value`: the texts in a JSON list. Empty for null and `''`. */
  readonly elements: (column: Sql, alias: string) => Sql
  /** How many they are. */
  readonly elementCount: (column: Sql) => Sql
  readonly numberAsText: (number: Sql) => Sql
  /** LIKE with `\` as escape, ASCII letters alike in either case. */
  readonly like: (text: Sql, pattern: Sql) => Sql
  /** Whether one text contains another, ASCII letters alike in either case. */
  readonly contains: (text: Sql, searched: Sql) => Sql
  /** A text whose order must be that of its bytes. */
  readonly text: (text: Sql) => Sql
  readonly lower: (text: Sql) => Sql
  /** A value given as a parameter whose type the database cannot tell. */
  readonly textParameter: (text: string) => Sql
  readonly numberParameter: (value: number) => Sql
  /** Whether a JSON list of ids has this one: letters and digits alone. Null where there is no list. */
  readonly holdsId: (column: Sql, id: string) => Sql
  /** A text, null as `''`, as JSON. */
  readonly jsonOfText: (text: Sql) => Sql
  /** A finite number, null as 0, as JSON. */
  readonly jsonOfNumber: (number: Sql) => Sql
  /** The texts of all rows with commas between them, in the order the rows come: UTF-8 where the database can give bytes as they are. */
  readonly joined: (text: Sql) => Sql
  /** After a question for rows that are about to change: nobody else changes them until the transaction ends. */
  readonly toChange: Sql
  /** One number per row at random, for an order. */
  readonly random: Sql
}
