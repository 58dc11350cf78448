import type { DefinedField, SystemLink, SystemNotes } from '../../../api/system-notes.ts'

/**
 * Parts of a system's notes that a user has changed in the dialog and not saved. `undefined`: not changed. `values` has the changed values
 * by id of the field; `undefined` there removes a value.
 */
export type NoteEdits = {
  readonly notes?: string
  readonly links?: readonly SystemLink[]
  readonly values: ReadonlyMap<string, string | number | undefined>
}

/** Edits of a user who has changed nothing yet. */
export const noEdits: NoteEdits = { values: new Map() }

/** Returns the saved notes of a system with a user's edits. Edited values of fields that no longer exist are left out. */
export function withEdits(saved: SystemNotes, edits: NoteEdits, fields: readonly DefinedField[]): SystemNotes {
  const values = new Map(saved.values)
  for (const [id, value] of edits.values) {
    if (value === undefined) values.delete(id)
    else if (fields.some((field) => field.id === id)) values.set(id, value)
  }
  return { id: saved.id, notes: edits.notes ?? saved.notes, links: edits.links ?? saved.links, values }
}
