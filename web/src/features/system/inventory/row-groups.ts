import { compareValues } from '../../../format/compare.ts'

/** Rows with one group name. `name` is undefined for the rows without a group. */
export type RowGroup<Row> = { readonly name: string | undefined; readonly rows: readonly Row[] }

export type RowSum = {
  /** `undefined` when no row has a known value. */
  readonly sum: number | undefined
  /** Number of rows whose value is not known and not in the sum. */
  readonly unknownRows: number
}

/** The sum of the known values of rows. */
export function sumOf<Row>(rows: readonly Row[], amount: (row: Row) => number | undefined): RowSum {
  const values = rows.flatMap((row) => amount(row) ?? [])
  const sum = values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0)
  return { sum, unknownRows: rows.length - values.length }
}

type GroupOrder<Row> = {
  readonly isDescending: boolean
  /** Value by which the groups are ordered; without it the groups are ordered by name. */
  readonly amount?: ((row: Row) => number | undefined) | undefined
}

/** Groups rows by name and keeps their order within a group. Rows without a group come last, unless the groups are ordered by a sum. */
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
