/** One for the page: making a collator costs more than a hundred comparisons. `host-2` comes before `host-10`. */
const collator = new Intl.Collator(undefined, { numeric: true })

export const compareNames = collator.compare

/** The order of two values of one column. Unknown values come last in both directions. */
export function compareValues(a: string | number | undefined, b: string | number | undefined, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
  return isDescending ? -order : order
}
