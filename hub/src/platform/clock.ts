/** Clock of the hub: `now()` returns epoch milliseconds. Code takes it as a parameter, so that tests can pass a clock that they control. */
export type Clock = { readonly now: () => number }

export const systemClock: Clock = { now: () => Date.now() }
