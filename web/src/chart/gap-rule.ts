/** Factor of the expected interval. Two points farther apart than this have a gap between them in every chart. */
export const GAP_INTERVALS = 1.5
