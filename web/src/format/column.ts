/** Values over time: a number, or null where there is none (the form the chart library reads). */
export type Column = readonly (number | null)[]

/** How far the values of a bucket reached, where more than one was merged into it. */
export type Extremes = { readonly minimum: Column; readonly maximum: Column }
