/**
 * Clock of the hub: `now()` returns the current time in epoch ms. Code gets it as a parameter instead of calling `Date.now()`, so that
 * tests can set the time.
 */
export type Clock = { readonly now: () => number }

export const systemClock: Clock = { now: () => Date.now() }
