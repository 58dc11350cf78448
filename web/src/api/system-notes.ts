import { createRecord, deleteRecord, filterOf, listRecords, updateRecord } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
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

/**
 * Object with the TanStack Query keys for systems' notes and admin-defined fields. Invalidating the key of all notes covers those of each
 * system.
 */
const keys = {
  allNotes: ['system-notes'],
  systemNotes: (systemId: string) => ['system-notes', systemId],
  definedFields: ['defined-fields'],
}

const NOTES = 'system_notes'
const FIELDS = 'system_fields'

const noNotes: SystemNotes = { id: undefined, notes: '', links: [], values: new Map() }

const readNotes = (record: JsonRecord): SystemNotes => ({
  id: textOf(record['id']),
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

/** TanStack Query options for the notes, links and field values of one system. */
export const systemNotesQuery = (systemId: string) =>
  serverQuery(keys.systemNotes(systemId), async (signal) => {
    const [record] = await listRecords(NOTES, { filter: filterOf('system = {:systemId}', { systemId }) }, signal)
    return record === undefined ? noNotes : readNotes(record)
  })

/** TanStack Query options for the notes, links and field values of all systems, as a map by the id of the system. */
export const allNotesQuery = serverQuery(keys.allNotes, async (signal) => {
  const records = await listRecords(NOTES, {}, signal)
  return new Map(records.map((record) => [textOf(record['system']) ?? '', readNotes(record)]))
})

/** TanStack Query options for the list of fields that admins have defined, sorted by name. */
export const definedFieldsQuery = serverQuery(keys.definedFields, async (signal) =>
  (await listRecords(FIELDS, { sort: 'name' }, signal)).map((record): DefinedField => ({
    id: textOf(record['id']) ?? '',
    name: textOf(record['name']) ?? '',
    kind: fieldKinds.find((kind) => kind === record['kind']) ?? 'text',
    unit: textOf(record['unit']) ?? '',
  })),
)

/** Saves the notes, links and field values of a system at the hub, in place of the earlier ones. */
export async function saveNotes(systemId: string, { id, notes, links, values }: SystemNotes): Promise<void> {
  const fields = { system: systemId, notes, links, values: Object.fromEntries(values) }
  if (id === undefined) await createRecord(NOTES, fields)
  else await updateRecord(NOTES, id, fields)
  await queryClient.invalidateQueries({ queryKey: keys.allNotes })
}

const refetchFields = (): Promise<void> => queryClient.invalidateQueries({ queryKey: keys.definedFields })

/** Creates a field at the hub that every system then has, such as a location. Only admins may do that. */
export async function defineField(field: Omit<DefinedField, 'id'>): Promise<void> {
  await createRecord(FIELDS, field)
  await refetchFields()
}

/** Deletes an admin-defined field at the hub. Systems' values of it stay stored, but no page shows them. */
export async function deleteField({ id }: DefinedField): Promise<void> {
  await deleteRecord(FIELDS, id)
  await refetchFields()
}
