import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { idForm, collectionsOf, type Collection } from '../../../records/model/collection.ts'
import { isJsonObject, parseJson } from '../../../platform/json.ts'

/** Definition of the log as a read-only collection, so that the filter language and sort orders of records work on log entries. */
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

/** Set of record collections for parsing log filters. The log is its only member, so filters cannot refer to other records. */
export const logCollections = collectionsOf([logRecords])

const DIGITS = 14

/** Returns the id of a log entry as text: `l` and the row number in 14 digits. It has 15 characters, as a record id. */
export const logId = (seq: number): string => `l${String(seq).padStart(DIGITS, '0')}`

/** Returns the row number in a log entry's id (`l` and 14 digits). `undefined` for any other text. */
export const seqOfId = (id: string): number | undefined => (/^l\d{14}$/.test(id) ? Number(id.slice(1)) : undefined)

export type StoredLog = {
  readonly seq: number
  readonly created: string
  readonly level: number
  readonly message: string
  readonly data: string
}

/** Schema of a log entry in responses of the API: `id` (`l` and 14 digits), date `created`, level, message and data. */
export const shownLog = z.object({
  id: z.string(),
  created: z.string(),
  level: z.number(),
  message: z.string(),
  data: z.custom<JsonObject>(),
})

export function presentLog({ seq, created, level, message, data }: StoredLog): z.infer<typeof shownLog> {
  const read = parseJson(data)
  return { id: logId(seq), created, level, message, data: isJsonObject(read) ? read : {} }
}
