/** A last good value stands in for a failed reading this long; then it is no longer what the machine does. */
export const LAST_GOOD_MS = 150_000
