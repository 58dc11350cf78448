/**
 * Returns true when charts should load their data again. The system's newest sample is then at least half a sampling interval newer than
 * the newest one at the last load (`readAtSampleMs`), or there was none then.
 */
export const isRenewalDue = (readAtSampleMs: number | undefined, newestSampleMs: number | undefined, intervalMs: number): boolean =>
  newestSampleMs !== undefined && (readAtSampleMs === undefined || Math.abs(newestSampleMs - readAtSampleMs) >= intervalMs / 2)
