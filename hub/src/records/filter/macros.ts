import { ownValue } from '@vedette/protocol/own-value'
import { recordDate } from '../model/stored-record.ts'
import type { Value } from './comparison.ts'

const DAY_MS = 86_400_000

/**
 * The value of a macro such as `@now` at one moment, in UTC; `undefined` for an unknown name. Dates are texts in the format of records;
 * other macros are numbers.
 */
export function macroValue(name: string, nowMs: number): Value | undefined {
  return ownValue(macros, name)?.(new Date(nowMs))
}

const at = (year: number, month: number, day: number): number => Date.UTC(year, month, day)

const macros: Readonly<Record<string, (now: Date) => Value>> = {
  '@now': (now) => recordDate(now.getTime()),
  '@yesterday': (now) => recordDate(now.getTime() - DAY_MS),
  '@tomorrow': (now) => recordDate(now.getTime() + DAY_MS),
  '@todayStart': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())),
  '@todayEnd': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - 1),
  '@monthStart': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  '@monthEnd': (now) => recordDate(at(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1),
  '@yearStart': (now) => recordDate(at(now.getUTCFullYear(), 0, 1)),
  '@yearEnd': (now) => recordDate(at(now.getUTCFullYear() + 1, 0, 1) - 1),
  '@second': (now) => now.getUTCSeconds(),
  '@minute': (now) => now.getUTCMinutes(),
  '@hour': (now) => now.getUTCHours(),
  '@day': (now) => now.getUTCDate(),
  '@month': (now) => now.getUTCMonth() + 1,
  '@weekday': (now) => now.getUTCDay(),
  '@year': (now) => now.getUTCFullYear(),
}
