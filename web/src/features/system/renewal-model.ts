/**
 * Returns true when charts should load their data again: the newest sample is at least half a sampling interval from `readAtSampleMs`. That
 * is the newest sample, in epoch ms, at the last load. False without any sample.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
