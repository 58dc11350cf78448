import { FilterError } from './parse.ts'

/** Maximum number of steps (rows and comparisons) to evaluate a filter for one record. A filter that joins very many rows is rejected. */
export const MOST_MATCH_STEPS = 100_000

/**
 * Mutable number of steps left for one evaluation of filters outside the database. Each row and comparison costs a step; a search in a long
 * text costs more. Below 0, evaluation throws.
 */
export type Budget = { steps: number }

/** Takes steps from a budget, which it changes. Throws {@link FilterError} when fewer are left. */
export function spend(budget: Budget, steps: number): void {
  // Changes the caller's budget on purpose: all evaluations of a query share it.
  budget.steps -= steps
  if (budget.steps < 0) throw new FilterError('Cannot evaluate the filter: it is too much work')
}
