/** Column of a time series: one value for each time, null where there is none. The format of the chart library uPlot. */
export type Column = readonly (number | null)[]

/** Pair of columns with the minimum and maximum behind each point of a time series, whose points are averages of several values. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
