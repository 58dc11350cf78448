/** Maximum age in ms, 150,000, of a collector's last good value that samples repeat after failed readings. */
export const LAST_GOOD_MS = 150_000
