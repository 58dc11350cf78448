/** Number of sampling intervals, 1.5. Two points farther apart than that have a gap between them in every chart. */
export const GAP_INTERVALS = 1.5
