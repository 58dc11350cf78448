import { ownValue } from '@vedette/protocol/own-value'
import type { TypedValue, Value } from './comparison.ts'
import { FilterError } from './parse.ts'

/**
 * Definition of a function of the filter language, such as `geoDistance`. `apply` returns the function's value; null or `''` if it cannot
 * use the arguments.
 */
type FilterFunction = {
  readonly leastArguments: number
  readonly mostArguments: number
  /**
   * In the definition of a filter function: true if it accepts only numbers as literal arguments. A filter with another literal is rejected
   * as invalid.
   */
  readonly numbersOnly?: true
  readonly type: 'text' | 'number'
  readonly apply: (values: readonly Value[], nowMs: number) => Value
}

const functions: Readonly<Record<string, FilterFunction>> = {
  geoDistance: { leastArguments: 4, mostArguments: 4, numbersOnly: true, type: 'number', apply: geoDistance },
  strftime: { leastArguments: 1, mostArguments: 10, type: 'text', apply: strftime },
}

/**
 * Returns the definition of the filter function with this name. Throws {@link FilterError} for an unknown name, or if the function does not
 * take `argumentCount` arguments.
 */
export function functionNamed(name: string, argumentCount: number): FilterFunction {
  const found = ownValue(functions, name)
  if (found === undefined) throw new FilterError(`Cannot read the filter: there is no function "${name}"`)
  if (argumentCount < found.leastArguments || argumentCount > found.mostArguments)
    throw new FilterError(`Cannot read the filter: "${name}" takes ${found.leastArguments} to ${found.mostArguments} values`)
  return found
}

export function callFunction(name: string, values: readonly TypedValue[], nowMs: number): TypedValue {
  const { type, apply } = functionNamed(name, values.length)
  return {
    type,
    value: apply(
      values.map(({ value }) => value),
      nowMs,
    ),
  }
}

const EARTH_KM = 6371
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * Returns the great-circle distance of two places in km. Arguments are longitude and latitude of both places, in degrees. Texts of numbers
 * count as numbers. Null for other arguments.
 */
function geoDistance(values: readonly Value[]): Value {
  const numbers = values.map((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value)).filter(isNumber)
  const [lonA, latA, lonB, latB] = numbers
  if (lonA === undefined || latA === undefined || lonB === undefined || latB === undefined) return null
  const a =
    Math.sin(radians(latB - latA) / 2) ** 2 + Math.cos(radians(latA)) * Math.cos(radians(latB)) * Math.sin(radians(lonB - lonA) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(a)))
}

function isNumber(value: Value): value is number {
  return Number.isFinite(value)
}

const two = (value: number): string => String(value).padStart(2, '0')
const DAY_MS = 86_400_000
const UNIX_EPOCH_JULIAN_DAYS = 2_440_587.5

/**
 * Returns the start of a day in UTC, in epoch ms, for date functions of filters; `month` counts from 0. `Date.UTC` would read the years 0
 * to 99 as 1900 to 1999.
 */
const dayStart = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month, day)

/**
 * Map from a letter of a format for the filter function `strftime`, such as `Y`. Values: functions that return that part of a date in UTC
 * as text.
 */
const parts: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2, ' '),
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  f: (date) => `${two(date.getUTCSeconds())}.${String(date.getUTCMilliseconds()).padStart(3, '0')}`,
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  w: (date) => String(date.getUTCDay()),
  u: (date) => String(date.getUTCDay() || 7),
  j: (date) => String(Math.floor((date.getTime() - dayStart(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1).padStart(3, '0'),
  J: (date) => String(date.getTime() / DAY_MS + UNIX_EPOCH_JULIAN_DAYS),
  F: (date) => date.toISOString().slice(0, 10),
  R: (date) => date.toISOString().slice(11, 16),
  T: (date) => date.toISOString().slice(11, 19),
  '%': () => '%',
}

/**
 * Filter function `strftime(format, time, modifiers…)`: formats a time like SQLite's function of that name, in UTC. Returns `''` for an
 * invalid time and for unknown letters or modifiers.
 */
function strftime([format, time = 'now', ...modifiers]: readonly Value[], nowMs: number): Value {
  const start = momentOf(time, nowMs)
  const date = modifiers.reduce<Date | undefined>((moved, modifier) => (moved === undefined ? undefined : modified(moved, modifier)), start)
  if (typeof format !== 'string' || date === undefined) return ''
  const letters = [...format.matchAll(/%(.?)/gs)].map(([, letter = '']) => letter)
  if (letters.some((letter) => !Object.hasOwn(parts, letter))) return ''
  return format.replaceAll(/%(.)/gs, (_whole, letter: string) => ownValue(parts, letter)?.(date) ?? '')
}

function momentOf(time: Value, nowMs: number): Date | undefined {
  if (time === 'now') return new Date(nowMs)
  if (typeof time !== 'string') return undefined
  const [, day, clock = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?)?$/.exec(time) ?? []
  const date = new Date(`${day ?? ''}T${clock}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const unitsMs: Readonly<Record<string, number>> = { day: DAY_MS, hour: 3_600_000, minute: 60_000, second: 1000 }

const starts: Readonly<Record<string, (year: number, month: number, day: number) => number>> = {
  'start of day': dayStart,
  'start of month': (year, month) => dayStart(year, month, 1),
  'start of year': (year) => dayStart(year, 0, 1),
}

function modified(date: Date, modifier: Value): Date | undefined {
  if (typeof modifier !== 'string') return undefined
  if (modifier === 'utc' || modifier === 'localtime') return date
  const start = ownValue(starts, modifier)
  if (start !== undefined) return new Date(start(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  const [, amount, unit = ''] = /^([+-]?\d{1,9}(?:\.\d{1,9})?) (day|hour|minute|second|month|year)s?$/.exec(modifier) ?? []
  return amount === undefined ? undefined : moved(date, Number(amount), unit)
}

function moved(date: Date, amount: number, unit: string): Date | undefined {
  const next = new Date(date)
  if (unit === 'month') next.setUTCMonth(date.getUTCMonth() + Math.trunc(amount))
  else if (unit === 'year') next.setUTCFullYear(date.getUTCFullYear() + Math.trunc(amount))
  else next.setTime(date.getTime() + amount * (ownValue(unitsMs, unit) ?? 0))
  return inRange(next) ? next : undefined
}

function inRange(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999
}
