import { z } from 'zod'
import { flag, wholeNumberBetween } from '../../records/model/field-errors.ts'

/**
 * Schema of the log settings. `maxDays`: age in days at which entries are deleted (0 stores nothing). `minLevel`: lower levels are not
 * stored; beyond `maxRows` or `maxBytes`, the oldest entries are deleted.
 */
export const logSettingsForm = z.object({
  maxDays: wholeNumberBetween(0, 3_650),
  minLevel: wholeNumberBetween(-4, 8),
  logIP: flag,
  logAuthId: flag,
  maxRows: wholeNumberBetween(1_000, 10_000_000),
  maxBytes: wholeNumberBetween(1_000_000, 100_000_000_000),
})
export type LogSettings = Readonly<z.infer<typeof logSettingsForm>>

export const defaultLogSettings: LogSettings = {
  maxDays: 5,
  minLevel: 0,
  logIP: true,
  logAuthId: true,
  maxRows: 1_000_000,
  maxBytes: 1_000_000_000,
}
