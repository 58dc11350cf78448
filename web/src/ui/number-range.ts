/** Range of the numbers that a field accepts, `min` to `max`; an absent bound means no limit. A `step` of 1 allows whole numbers only. */
export type NumberRange = {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | 'any' | undefined
}

/** Returns the number nearest to the given one within `min` and `max`. For `step` 1, the given number is rounded to an integer before. */
export function nearestIn({ min = -Infinity, max = Infinity, step }: NumberRange, number: number): number {
  return Math.min(max, Math.max(min, step === 1 ? Math.round(number) : number))
}
