import { idForm, type Collection } from '../model/collection.ts'
import { badRequest } from '../model/record-error.ts'
import { signedIn } from './access-rules.ts'

/** Maximum number of fields that admins can define for systems: 50. */
export const MOST_FIELDS = 50

/**
 * List of the types of values that admin-defined fields can have. A `date` is text such as `2026-11-27`; a `price` is a number in the
 * currency that is the field's unit.
 */
export const fieldKinds = ['text', 'number', 'date', 'price'] as const
export type DefinedKind = (typeof fieldKinds)[number]

/**
 * Collection `system_fields`: fields that admins define for all systems, such as the day of purchase. Everybody who is signed in reads
 * them; only admins write them. The values are in `system_notes`, by the id of the field.
 */
export const systemFields: Collection = {
  name: 'system_fields',
  id: 'vedette_s_fields',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'text', name: 'name', required: true, maxLength: 60 },
    { kind: 'select', name: 'kind', required: true, values: fieldKinds },
    { kind: 'text', name: 'unit', maxLength: 20 },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: { list: signedIn, view: signedIn, create: null, update: null, delete: null },
  keys: 'read',
  alone: 'system fields',
  unique: [{ fields: ['name'], ignoreCase: true }],
  hooks: {
    // A value that fits the old kind may not fit the new one.
    check: ({ kind }, previous) =>
      previous === undefined || previous['kind'] === kind
        ? {}
        : { kind: { code: 'validation_kind_fixed', message: 'The kind of a field cannot change. Delete the field and add a new one.' } },
    followed: async (_previous, next, { unit, store }) => {
      if (next === undefined || (await store.loadWhere('system_fields', {}, unit, MOST_FIELDS + 1)).length <= MOST_FIELDS) return
      const message = `At most ${MOST_FIELDS} fields can be defined.`
      throw badRequest('Failed to save the field.', { name: { code: 'validation_too_many', message } })
    },
  },
}
