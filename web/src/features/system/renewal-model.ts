/**
 * Returns true when charts should load their data again: the system's newest sample is at least half a sampling interval newer than the one
 * at the last load.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
