/** Array with one number for each time of a time series, null where there is none. The chart library uPlot uses this format. */
export type Column = readonly (number | null)[]

/** Pair of arrays with the minimum and maximum behind each point of a time series whose points are averages of several values. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
