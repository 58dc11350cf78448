/** The only source of the current time, in epoch milliseconds. Tests pass a clock that they control. */
export type Clock = { readonly now: () => number }

export const systemClock: Clock = { now: () => Date.now() }
