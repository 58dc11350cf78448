import { compareValues } from '../../../format/compare.ts'

/** Group of rows of an inventory table: its name and its rows. `name` is `undefined` for the rows that have no group name. */
export type RowGroup<Row> = { readonly name: string | undefined; readonly rows: readonly Row[] }

export type RowSum = {
  /** Sum of a table column over those rows of the group whose value is known; `undefined` when no row has one. */
  readonly sum: number | undefined
  /** Number of rows in the group whose value in a column is unknown, so that the column's sum lacks them. */
  readonly unknownRows: number
}

/**
 * Returns the sum of a table column over the rows of a group, and the number of rows whose value is unknown. `amount` returns a row's
 * value. `sum` is `undefined` if no value is known.
 */
export function sumOf<Row>(rows: readonly Row[], amount: (row: Row) => number | undefined): RowSum {
  const values = rows.flatMap((row) => amount(row) ?? [])
  const sum = values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0)
  return { sum, unknownRows: rows.length - values.length }
}

type GroupOrder<Row> = {
  readonly isDescending: boolean
  /**
   * Function that returns a row's amount, such as memory in bytes (`undefined` = unknown). Groups are sorted by the sum of these amounts,
   * in the direction of `isDescending`; unknown sums come last. Without this function, groups are sorted by name.
   */
  readonly amount?: ((row: Row) => number | undefined) | undefined
}

/**
 * Returns a list of groups of the table's rows, one for each name that `nameOf` returns; within a group, rows keep their order. Groups are
 * sorted by the sum of `amount` or, without that function, by name, in the direction of `isDescending`. Rows without a name form a group,
 * which is last when sorted by name.
 */
export function groupRows<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string | undefined,
  { isDescending, amount }: GroupOrder<Row>,
): readonly RowGroup<Row>[] {
  const groups = [...Map.groupBy(rows, nameOf)].map(([name, members]) => ({ name, rows: members }))
  const byName = groups.toSorted((a, b) => compareValues(a.name, b.name, isDescending && amount === undefined))
  if (amount === undefined) return byName
  const sums = new Map(byName.map((group) => [group, sumOf(group.rows, amount).sum]))
  return byName.toSorted((a, b) => compareValues(sums.get(a), sums.get(b), isDescending))
}
