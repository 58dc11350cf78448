/**
 * Returns true when the charts should be reloaded: the newest sample is at least half a sampling interval newer than the sample at which
 * they were loaded.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
