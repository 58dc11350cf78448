/** Two values further apart than this many expected intervals have a gap between them, in every drawing. */
export const GAP_INTERVALS = 1.5
