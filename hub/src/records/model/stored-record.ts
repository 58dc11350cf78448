import { ownValue } from '@vedette/protocol/own-value'
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
