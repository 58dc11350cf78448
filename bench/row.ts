/** Measured figure of the benchmark. `bar` is its maximum; a figure without a bar is only reported. */
export type Figure = { readonly name: string; readonly value: number; readonly unit: string; readonly bar?: number }

/** Row of the budget table: a measurement with one or several figures. */
export type Row = { readonly id: string; readonly what: string; readonly measure: () => Promise<readonly Figure[]> }

export const isMissed = ({ value, bar }: Figure): boolean => bar !== undefined && !(value <= bar)
