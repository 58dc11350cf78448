import type { Json } from '@vedette/protocol/wire/stats-json'

/**
 * A record as the hub keeps it: field name → value. Texts, dates (`YYYY-MM-DD HH:MM:SS.sssZ`) and single relations are
 * strings (`""` when empty), multiple relations arrays of ids, JSON fields any JSON value. Hidden fields are in it:
 * it never leaves the hub without passing through `records/`.
 */
export type StoredRecord = { readonly id: string; readonly [field: string]: Json }
