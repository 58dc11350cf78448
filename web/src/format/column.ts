/** Array with one number for each time of a time series, null where there is none. The chart library uPlot uses this format. */
export type Column = readonly (number | null)[]

/** Object with two arrays: the minimum and the maximum behind each point of a time series whose points are averages of several values. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
