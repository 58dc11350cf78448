/** One measured figure. `bar` is the most it may be; a figure without one is only reported. */
export type Figure = { readonly name: string; readonly value: number; readonly unit: string; readonly bar?: number }

/** One line of the budget table: what is measured, and how. Several figures may come out of one measurement. */
export type Row = { readonly id: string; readonly what: string; readonly measure: () => Promise<readonly Figure[]> }

export const isMissed = ({ value, bar }: Figure): boolean => bar !== undefined && !(value <= bar)
