/** Maximum age in ms up to which a collector's last good value replaces a failed reading in samples. */
export const LAST_GOOD_MS = 150_000
