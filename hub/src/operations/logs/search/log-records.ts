import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { collectionsOf, type Collection } from '../../../records/model/collection.ts'
import { isJsonObject, parseJson } from '../../../records/model/json-value.ts'
import { idForm } from '../../../records/model/record-id.ts'

/** The log as a collection, as far as filters and orders are concerned. */
export const logRecords: Collection = {
  name: 'logs',
  id: 'logs',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'created', name: 'created' },
    { kind: 'text', name: 'message' },
    { kind: 'number', name: 'level' },
    { kind: 'json', name: 'data', maxBytes: 0 },
  ],
  rules: { list: null, view: null, create: null, update: null, delete: null },
  unique: [],
}

/** Filters of the log reach nothing else. */
export const logCollections = collectionsOf([logRecords])

const DIGITS = 14

/** `l` and the number of the row in 14 digits: as long as ids of records are. */
export const logId = (seq: number): string => `l${String(seq).padStart(DIGITS, '0')}`

/** Undefined for what is no id of an entry. */
export const seqOfId = (id: string): number | undefined => (/^l\d{14}$/.test(id) ? Number(id.slice(1)) : undefined)

export type StoredLog = {
  readonly seq: number
  readonly created: string
  readonly level: number
  readonly message: string
  readonly data: string
}

/** An entry as clients know it. */
export function presentLog({ seq, created, level, message, data }: StoredLog): JsonObject {
  const read = parseJson(data)
  return { id: logId(seq), created, level, message, data: isJsonObject(read) ? read : {} }
}
