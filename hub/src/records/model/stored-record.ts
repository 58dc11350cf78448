import { ownValue } from '@vedette/protocol/own-value'
import type { ChangedRecord } from '../../platform/events/event-bus.ts'

/**
 * A record as the hub keeps it: field name → value. Texts, dates (`YYYY-MM-DD HH:MM:SS.sssZ`) and single relations are
 * strings (`""` when empty), multiple relations arrays of ids, JSON fields any JSON value. Hidden fields are in it:
 * it never leaves the hub without passing through `records/`.
 */
export type StoredRecord = ChangedRecord

/** A text field's value; `""` for a field that is absent or no text, as records have it. */
export function textOf(record: StoredRecord, field: string): string {
  const value = ownValue(record, field)
  return typeof value === 'string' ? value : ''
}
