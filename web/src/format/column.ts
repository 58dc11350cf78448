/** Column of a time series: an array with one number for each time, null where there is none. The chart library uPlot uses this format. */
export type Column = readonly (number | null)[]

/** Pair of columns with the minimum and maximum behind each point of a time series, whose points are averages of several values. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
