/** Maximum age in ms at which the last good value replaces a failed reading. */
export const LAST_GOOD_MS = 150_000
