/** `step` 1 allows whole numbers only; without a bound, a number may be as low or high as it likes. */
export type NumberRange = {
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | 'any' | undefined
}

/** The number of a range that is nearest to a given one. */
export function nearestIn({ min = -Infinity, max = Infinity, step }: NumberRange, number: number): number {
  return Math.min(max, Math.max(min, step === 1 ? Math.round(number) : number))
}
