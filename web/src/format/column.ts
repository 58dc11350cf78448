/** Array with one number for each time of a time series, null where there is none. The chart library uPlot uses this format. */
export type Column = readonly (number | null)[]

/** Minimum and maximum values behind each point of a time series whose points are averages, as two arrays with one value per time. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
