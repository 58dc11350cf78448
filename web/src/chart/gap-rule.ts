/** Factor of the sampling interval: two points farther apart than 1.5 intervals have a gap between them in every chart. */
export const GAP_INTERVALS = 1.5
