import type { StoredRecord } from './stored-record.ts'

export const FIELD_TEXT = Symbol('the JSON of a field')

/** A record that knows the JSON of some fields at less cost than their values; undefined for all others. */
export type WritesItself = StoredRecord & { readonly [FIELD_TEXT]?: (field: string) => string | undefined }
