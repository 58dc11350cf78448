/** Column of a time series: one value for each time, null where there is none. The format of the chart library uPlot. */
export type Column = readonly (number | null)[]

/** Minimum and maximum of each point of a time series whose points aggregate several values, as columns. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
