/**
 * Returns true when charts should load their data again. The newest sample is then at least half a sampling interval from the newest one at
 * the last load (`readAtSampleMs`). Also true when there was none at the last load; false without any sample.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
