/**
 * Retention of the log. `maxDays`: 0 stores nothing; `minLevel`: lower levels are not stored; `maxRows`, `maxBytes`: the limit reached
 * first counts.
 */
export type LogSettings = {
  readonly maxDays: number
  readonly minLevel: number
  readonly logIP: boolean
  readonly logAuthId: boolean
  readonly maxRows: number
  readonly maxBytes: number
}

export const defaultLogSettings: LogSettings = {
  maxDays: 5,
  minLevel: 0,
  logIP: true,
  logAuthId: true,
  maxRows: 1_000_000,
  maxBytes: 1_000_000_000,
}
