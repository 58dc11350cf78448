import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { defaultLogSettings, type LogSettings } from '../operations/logs/log-settings.ts'
import type { FieldError } from '../records/model/record-error.ts'

const ranges = {
  maxDays: { least: 0, most: 3_650 },
  minLevel: { least: -4, most: 8 },
  maxRows: { least: 1_000, most: 10_000_000 },
  maxBytes: { least: 1_000_000, most: 100_000_000_000 },
} as const
const numbers = ['maxDays', 'minLevel', 'maxRows', 'maxBytes'] as const
const flags = ['logIP', 'logAuthId'] as const

/** What of a form can be used; the rest is as it is without. */
export function storedLogSettings(stored: JsonObject): LogSettings {
  const found: { -readonly [Name in keyof LogSettings]: LogSettings[Name] } = { ...defaultLogSettings }
  for (const name of numbers) {
    const value = stored[name]
    if (typeof value === 'number' && isWithin(name, value)) found[name] = value
  }
  for (const name of flags) {
    const value = stored[name]
    if (typeof value === 'boolean') found[name] = value
  }
  return found
}

/** What is wrong with the settings of the log, by field. */
export function wrongLogSettings(form: JsonObject): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {}
  for (const name of numbers) {
    const value = form[name]
    if (typeof value === 'number' && isWithin(name, value)) continue
    const { least, most } = ranges[name]
    errors[name] = { code: 'validation_invalid_value', message: `Must be a whole number from ${least} to ${most}.` }
  }
  for (const name of flags)
    if (typeof form[name] !== 'boolean') errors[name] = { code: 'validation_invalid_value', message: 'Must be true or false.' }
  return errors
}

const isWithin = (name: keyof typeof ranges, value: number): boolean =>
  Number.isInteger(value) && value >= ranges[name].least && value <= ranges[name].most
