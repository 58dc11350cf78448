import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { ChangedRecord } from '../../platform/events/event-bus.ts'

/**
 * Record as the hub stores it: a map from field name to value. Dates are `YYYY-MM-DD HH:MM:SS.sssZ`, empty texts `""`, multiple relations
 * lists of ids. It has hidden fields, so never send it as it is.
 */
export type StoredRecord = ChangedRecord

/** Returns the value of a text field of a record; `""` if the field is absent or not a text. */
export function textOf(record: StoredRecord, field: string): string {
  const value = ownValue(record, field)
  return typeof value === 'string' ? value : ''
}

/** Returns the text of a JSON value of a record or request: a string itself, `''` for null, otherwise its JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

/** Account (record of `users`) of the user who sends a request; `undefined` for a guest. */
export type Actor = StoredRecord | undefined

/** Returns true for the account of a verified admin, to whom no access rule applies. False for a guest. */
export function isAdmin(actor: Actor): boolean {
  return actor?.['role'] === 'admin' && actor['verified'] === true
}

/** Formats epoch ms as `YYYY-MM-DD HH:MM:SS.sssZ` in UTC, the date format of the records API. The texts sort by time. */
export const recordDate = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ')

const LAYOUT = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Converts a client's date to the format of {@link recordDate}. The date may have a space or a `T`, a fraction, a zone (UTC if absent), or
 * no time (midnight). Any other text becomes `""`.
 */
export function normalDate(text: string): string {
  const [, day, time = '00:00:00', fraction = '', zone = 'Z'] = LAYOUT.exec(text.trim()) ?? []
  if (day === undefined) return ''
  const atMs = Date.parse(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  return Number.isNaN(atMs) ? '' : recordDate(atMs)
}
