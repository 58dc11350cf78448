import type { TransferPlan } from './foreign-hub.ts'

/** Rows that an import writes per second on two slow cores, for the estimate of its time. */
const ROWS_PER_SECOND = 4500

/** Returns the estimated time of an import in seconds. */
export const secondsFor = (plans: readonly TransferPlan[]): number => plans.reduce((sum, { rows }) => sum + rows, 0) / ROWS_PER_SECOND
