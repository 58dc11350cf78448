import type { TransferPlan } from './foreign-hub.ts'

/**
 * Number of rows, 4,500, that an import is assumed to write per second. It was measured on a machine with two slow cores, and only serves
 * to estimate the import's duration.
 */
const ROWS_PER_SECOND = 4500

/** Estimates the duration of an import in seconds, from the number of rows in its plans. */
export const secondsFor = (plans: readonly TransferPlan[]): number => plans.reduce((sum, { rows }) => sum + rows, 0) / ROWS_PER_SECOND
