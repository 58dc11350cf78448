/** Measured value of a benchmark, with name and unit. `bar` is its allowed maximum; a figure without a bar is only reported. */
export type Figure = { readonly name: string; readonly value: number; readonly unit: string; readonly bar?: number }

/**
 * Benchmark with an id and a description (`what`), which gives one row of the table of results. `measure` runs the benchmark and resolves
 * with its measured values.
 */
export type Row = { readonly id: string; readonly what: string; readonly measure: () => Promise<readonly Figure[]> }

export const isMissed = ({ value, bar }: Figure): boolean => bar !== undefined && !(value <= bar)
