/**
 * Factor, 1.5, of the sampling interval. Where two consecutive points of a series are farther apart, every chart draws a gap between them.
 */
export const GAP_INTERVALS = 1.5
