import { z } from 'zod'
import { flag, wholeNumber } from '../records/model/field-errors.ts'

export const logSettingsForm = z.object({
  maxDays: wholeNumber(0, 3_650),
  minLevel: wholeNumber(-4, 8),
  logIP: flag,
  logAuthId: flag,
  maxRows: wholeNumber(1_000, 10_000_000),
  maxBytes: wholeNumber(1_000_000, 100_000_000_000),
})
