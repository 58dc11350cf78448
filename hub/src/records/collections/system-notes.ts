import { systemManager, systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { noteErrors } from './note-check.ts'

/** Longest notes of a system, in code points. */
export const LONGEST_NOTES = 20_000

/**
 * Collection `system_notes`: what people write about a system. A system has at most one record. `links` is a list of `{ name, url }`;
 * `values` maps the ids of records of `system_fields` to texts and numbers. It is no part of `systems`, because samples change those records
 * every minute.
 */
export const systemNotes: Collection = {
  name: 'system_notes',
  id: 'vedette_s_notes',
  type: 'base',
  storage: 'table',
  idForm: idForm(15),
  fields: [
    { kind: 'relation', name: 'system', to: 'systems', required: true, cascade: true },
    { kind: 'text', name: 'notes', maxLength: LONGEST_NOTES },
    { kind: 'json', name: 'links', maxBytes: 60_000 },
    { kind: 'json', name: 'values', maxBytes: 40_000 },
    { kind: 'created', name: 'created' },
    { kind: 'updated', name: 'updated' },
  ],
  rules: {
    list: systemMember,
    view: systemMember,
    create: systemManager,
    update: systemManager,
    delete: systemManager,
    stored: systemManager,
  },
  keys: 'write',
  unique: [{ fields: ['system'] }],
  hooks: {
    derive: async (write, context) => ({ values: {}, errors: await noteErrors(write, context) }),
  },
}
