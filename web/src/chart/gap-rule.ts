/** Number, 1.5: factor of the sampling interval. Two points farther apart than that have a gap between them in every chart. */
export const GAP_INTERVALS = 1.5
