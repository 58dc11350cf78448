/** What of the log is kept. `maxDays`: 0 keeps nothing; `minLevel`: what is less is not stored; `maxRows`, `maxBytes`: whichever is reached first. */
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
