import { createRecord, deleteRecord, filterOf, listRecords, readRecordEvent, updateRecord } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { liveList, type LiveList } from './live-list.ts'
import { queryClient, serverQuery } from './server-query.ts'

/**
 * List of the kinds of fields that admins can define for all systems: text, number, date such as `2026-01-31`, or price in the field's
 * currency.
 */
export const fieldKinds = ['text', 'number', 'date', 'price'] as const
export type DefinedKind = (typeof fieldKinds)[number]

/** Field that admins have defined for all systems, such as a location. `unit` is a unit or currency, empty for none. */
export type DefinedField = { readonly id: string; readonly name: string; readonly kind: DefinedKind; readonly unit: string }

/** Link from a system to a web page, with an `http:` or `https:` URL. With an empty `name`, the URL is displayed. */
export type SystemLink = { readonly name: string; readonly url: string }

/** Map from the id of an admin-defined field to a system's value of it. It may contain values of fields that have been deleted. */
export type FieldValues = ReadonlyMap<string, string | number>

/**
 * Notes, links and field values that users have saved for a system. `id` is the id of the hub's record; `undefined` while nothing is saved.
 */
export type SystemNotes = {
  readonly id: string | undefined
  readonly notes: string
  readonly links: readonly SystemLink[]
  readonly values: FieldValues
}

/** Changed parts of a system's notes. A part that is `undefined` stays as it is at the hub. `values` has the values of all fields. */
export type NoteChanges = Partial<Omit<SystemNotes, 'id'>>

/**
 * Object with the TanStack Query keys for systems' notes and admin-defined fields: arrays, or functions that return one. Invalidate
 * `allNotes` only with `exact`, because it is the start of each system's key.
 */
const keys = {
  allNotes: ['system-notes'],
  systemNotes: (systemId: string) => ['system-notes', systemId],
  definedFields: ['defined-fields'],
}

const NOTES = 'system_notes'
const FIELDS = 'system_fields'

const noNotes: SystemNotes = { id: undefined, notes: '', links: [], values: new Map() }

type StoredNotes = SystemNotes & { readonly id: string }

const readNotes = (record: JsonRecord): StoredNotes => ({
  id: textOf(record['id']) ?? '',
  notes: textOf(record['notes']) ?? '',
  links: listOf(record['links']).flatMap(readLink),
  values: new Map(
    Object.entries(recordOf(record['values'])).flatMap(([id, value]) => {
      const known = textOf(value) ?? numberOf(value)
      return known === undefined ? [] : [[id, known] as const]
    }),
  ),
})

function readLink(value: unknown): readonly SystemLink[] {
  const { name, url } = recordOf(value)
  const address = textOf(url)
  // The address becomes the target of a link: no other scheme may run in the page.
  return address !== undefined && /^https?:\/\//i.test(address) ? [{ name: textOf(name) ?? '', url: address }] : []
}

const lists = new Map<string, LiveList<StoredNotes>>()

/** Returns the live list of a system's notes: one record, or none while nothing is saved. */
function notesList(systemId: string): LiveList<StoredNotes> {
  const known = lists.get(systemId)
  if (known !== undefined) return known
  const fetchNotes = async (signal: AbortSignal) =>
    (await listRecords(NOTES, { filter: filterOf('system = {:systemId}', { systemId }) }, signal)).map(readNotes)
  const list = liveList(keys.systemNotes(systemId), fetchNotes)
  lists.set(systemId, list)
  return list
}

const firstNotes = ([first]: readonly StoredNotes[]): SystemNotes => first ?? noNotes

/**
 * TanStack Query options for the notes, links and field values of one system; the data is a `SystemNotes`, with empty values while nothing
 * is saved. Fetched for each page, because events arrive only while one is open.
 */
export const systemNotesQuery = (systemId: string) => ({ ...notesList(systemId).query, select: firstNotes, staleTime: 0 })

/** TanStack Query options for the notes, links and field values of all systems, as a map by the id of the system. */
export const allNotesQuery = serverQuery(keys.allNotes, async (signal) => {
  const records = await listRecords(NOTES, {}, signal)
  return new Map(records.map((record) => [textOf(record['system']) ?? '', readNotes(record)]))
})

const readField = (record: JsonRecord): DefinedField => ({
  id: textOf(record['id']) ?? '',
  name: textOf(record['name']) ?? '',
  kind: fieldKinds.find((kind) => kind === record['kind']) ?? 'text',
  unit: textOf(record['unit']) ?? '',
})

const fieldsList = liveList(keys.definedFields, async (signal) => (await listRecords(FIELDS, {}, signal)).map(readField))

const byName = (fields: readonly DefinedField[]): readonly DefinedField[] => fields.toSorted((a, b) => a.name.localeCompare(b.name))

/** TanStack Query options for the list of fields that admins have defined, sorted by name. */
export const definedFieldsQuery = { ...fieldsList.query, select: byName, staleTime: 0 }

/**
 * Applies a realtime event to the cached notes of a system, or to the list of fields. An event about another system only invalidates the
 * list of all notes. Events of other topics are ignored.
 */
export function applyNoteEvent(systemId: string, topic: string, data: unknown): void {
  const { action, record } = readRecordEvent(data)
  if (topic === `${FIELDS}/*`) fieldsList.apply(action, readField(record))
  if (topic !== `${NOTES}/*`) return
  if (record['system'] === systemId) notesList(systemId).apply(action, readNotes(record))
  void queryClient.invalidateQueries({ queryKey: keys.allNotes, exact: true })
}

/** Fetches the notes of a system and the list of fields again, after a connect of the realtime connection. */
export function renewNotes(systemId: string): void {
  notesList(systemId).renew()
  fieldsList.renew()
}

/**
 * Saves changed parts of a system's notes at the hub. Other parts stay, also those that another client changed. `id` is the id of the hub's
 * record, `undefined` while nothing is saved. Rejects with RequestFailed.
 */
export async function saveNotes(systemId: string, id: string | undefined, { values, ...changes }: NoteChanges): Promise<void> {
  const fields = { system: systemId, ...changes, ...(values !== undefined && { values: Object.fromEntries(values) }) }
  const saved = await (id === undefined ? createRecord(NOTES, fields) : updateRecord(NOTES, id, fields))
  notesList(systemId).apply('update', readNotes(saved))
  await queryClient.invalidateQueries({ queryKey: keys.allNotes, exact: true })
}

/** Creates a field at the hub that every system then has, such as a location. Only admins may do that. */
export const defineField = async (field: Omit<DefinedField, 'id'>): Promise<void> =>
  fieldsList.apply('create', readField(await createRecord(FIELDS, field)))

/** Deletes an admin-defined field at the hub. Systems' values of it stay stored, but no page shows them. */
export async function deleteField(field: DefinedField): Promise<void> {
  await deleteRecord(FIELDS, field.id)
  fieldsList.apply('delete', field)
}
