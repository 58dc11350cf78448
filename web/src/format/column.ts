/** Values over time; null where there is no value. The format of the chart library. */
export type Column = readonly (number | null)[]

/** Minimum and maximum of the values behind each point, as columns. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
