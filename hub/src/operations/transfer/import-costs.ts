import type { TransferPlan } from './foreign-hub.ts'

/** Number of rows that an import writes per second on a machine with two slow cores: 4,500. From it the import's duration is estimated. */
const ROWS_PER_SECOND = 4500

/** Estimates the duration of an import in seconds, from the number of rows in its plans. */
export const secondsFor = (plans: readonly TransferPlan[]): number => plans.reduce((sum, { rows }) => sum + rows, 0) / ROWS_PER_SECOND
