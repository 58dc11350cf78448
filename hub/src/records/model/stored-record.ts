import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
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

/** Formats a time as `YYYY-MM-DD HH:MM:SS.sssZ` in UTC, the format of all dates in the records API. The texts sort by time. */
export const recordDate = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ')

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
