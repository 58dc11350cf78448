/**
 * Returns true when charts that were loaded at one sample should be reloaded at a newer one: at least half a sampling interval lies between
 * the two.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
