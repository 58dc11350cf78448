/** Values over time: a number, or null where there is none (the form the chart library reads). */
export type Column = readonly (number | null)[]
