import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { randomInt } from 'node:crypto'
import type { ChangedRecord } from '../../platform/events/event-bus.ts'

/**
 * A record as the hub stores it: field name → value. Texts, dates (`YYYY-MM-DD HH:MM:SS.sssZ`) and single relations are strings (`""` when
 * empty), multiple relations arrays of ids, JSON fields any JSON value. It contains hidden fields, so it never leaves the hub without
 * passing through `records/`.
 */
export type StoredRecord = ChangedRecord

/** A text field's value; `""` if the field is absent or not a text. */
export function textOf(record: StoredRecord, field: string): string {
  const value = ownValue(record, field)
  return typeof value === 'string' ? value : ''
}

/** Text of a value: a string itself, `''` for null, otherwise JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

/** The caller: a record of `users`, or `undefined` for a guest. */
export type Actor = StoredRecord | undefined

/** Whether the caller is a verified admin, to whom no access rule applies. */
export function isAdmin(actor: Actor): boolean {
  return actor?.['role'] === 'admin' && actor['verified'] === true
}

const DAY_MS = 86_400_000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
/** Cache of the last day's text: consecutive dates are mostly of one day. */
let lastDay = Number.NaN
let lastDayText = ''

/** Formats a time as `YYYY-MM-DD HH:MM:SS.sssZ` in UTC, the format of all dates in the records API. The texts sort by time. */
export function recordDate(atMs: number): string {
  const whole = Math.trunc(atMs)
  const day = Math.floor(whole / DAY_MS)
  if (day !== lastDay) {
    ;[lastDayText = ''] = new Date(whole).toISOString().split('T')
    lastDay = day
  }
  const ms = whole - day * DAY_MS
  const two = (unitMs: number, count: number): string => twoDigits[Math.floor(ms / unitMs) % count] ?? ''
  return `${lastDayText} ${two(3_600_000, 24)}:${two(60_000, 60)}:${two(1000, 60)}.${String(1000 + (ms % 1000)).slice(1)}Z`
}

const LAYOUT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Converts a client's date to the format of {@link recordDate}: with a space or a `T`, with or without fraction and zone, or a day alone.
 * Times without seconds, numbers and anything else become `""`.
 */
export function normalDate(text: string): string {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = LAYOUT.exec(text.trim()) ?? []
  if (day === undefined) return ''
  const atMs = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(atMs) ? '' : recordDate(atMs)
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A random text of `length` lower-case letters and digits. */
export function randomId(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
