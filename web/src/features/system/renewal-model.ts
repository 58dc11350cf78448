/**
 * Returns true when charts should load their data again. The newest sample is then at least half a sampling interval from `readAtSampleMs`,
 * the newest one at the last load. Without any sample it is false.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
