import { systemManager, systemMember } from './access-rules.ts'
import { idForm, type Collection } from '../model/collection.ts'
import { noteErrors } from './note-check.ts'

/** Maximum length of a system's notes, in Unicode code points (20,000). */
export const LONGEST_NOTES = 20_000

/**
 * Collection `system_notes`: notes, links and field values that people enter about a system, at most one record per system. `links`: list
 * of `{ name, url }`; `values`: texts and numbers by record id of `system_fields`. Separate from `systems`, whose records change every
 * minute.
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
