import type { StoredRecord } from './stored-record.ts'

export const FIELD_TEXT = Symbol('the JSON of a field')

/** The JSON of a field by name, where the record knows it at less cost than the field's value; undefined for all others. */
type FieldText = (field: string) => string | undefined

export type WritesItself = StoredRecord & { readonly [FIELD_TEXT]?: FieldText }

/** Lets a record say so. It stays equal to one that does not, and what is copied of it does not say so. */
export function writesItself(record: StoredRecord, textOf: FieldText): WritesItself {
  return Object.defineProperty(record, FIELD_TEXT, { value: textOf })
}
