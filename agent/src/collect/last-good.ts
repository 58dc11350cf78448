/**
 * Maximum age in ms, 150,000, of a collector's last good value that samples repeat after failed readings. When it is older, samples lack
 * the value.
 */
export const LAST_GOOD_MS = 150_000
