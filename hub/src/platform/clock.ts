/** The only way to learn the time: epoch milliseconds. Tests pass one they can move. */
export type Clock = { readonly now: () => number }

export const systemClock: Clock = { now: () => Date.now() }
