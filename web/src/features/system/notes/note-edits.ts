import type { DefinedField, NoteChanges, SystemLink, SystemNotes } from '../../../api/system-notes.ts'

/** Edit of one part of a system's notes. `from` is the saved value before the user's first change, `to` the value in the form. */
export type NoteEdit<Value> = { readonly from: Value; readonly to: Value }

type FieldValue = string | number | undefined

/**
 * Parts of a system's notes that a user has edited but not saved; absent if not edited. `values` maps the id of an admin-defined field to
 * its edit; the value `undefined` in an edit means none.
 */
export type NoteEdits = {
  readonly notes?: NoteEdit<string>
  readonly links?: NoteEdit<readonly SystemLink[]>
  readonly values: ReadonlyMap<string, NoteEdit<FieldValue>>
}

/** Initial state of the notes dialog, in which nothing has been edited. */
export const noEdits: NoteEdits = { values: new Map() }

export const editNotes = (edits: NoteEdits, saved: SystemNotes, to: string): NoteEdits => ({
  ...edits,
  notes: { from: edits.notes?.from ?? saved.notes, to },
})

export const editLinks = (edits: NoteEdits, saved: SystemNotes, to: readonly SystemLink[]): NoteEdits => ({
  ...edits,
  links: { from: edits.links?.from ?? saved.links, to },
})

/** Returns the edits of a system's notes with a new value (`to`) for the admin-defined field with this id; `undefined` clears it. */
export function editValue(edits: NoteEdits, saved: SystemNotes, { id, to }: { readonly id: string; readonly to: FieldValue }): NoteEdits {
  const known = edits.values.get(id)
  return { ...edits, values: new Map(edits.values).set(id, { from: known === undefined ? saved.values.get(id) : known.from, to }) }
}

/** Returns the saved notes of a system with a user's edits. Edited values of fields that no longer exist are left out. */
export function withEdits(saved: SystemNotes, edits: NoteEdits, fields: readonly DefinedField[]): SystemNotes {
  const values = new Map(saved.values)
  for (const [id, { to }] of edits.values) {
    if (to === undefined) values.delete(id)
    else if (fields.some((field) => field.id === id)) values.set(id, to)
  }
  return { id: saved.id, notes: edits.notes?.to ?? saved.notes, links: edits.links?.to ?? saved.links, values }
}

/**
 * Returns only those parts of a system's notes that the user has edited, as the change to send to the hub. The values of all admin-defined
 * fields are one part.
 */
export function editedParts(saved: SystemNotes, edits: NoteEdits, fields: readonly DefinedField[]): NoteChanges {
  const { notes, links, values } = withEdits(saved, edits, fields)
  return {
    ...(edits.notes !== undefined && { notes }),
    ...(edits.links !== undefined && { links }),
    ...(edits.values.size > 0 && { values }),
  }
}

/**
 * Returns true if another user has saved a different value for an edited part of the notes since the edit began. Saving would then
 * overwrite it, so the dialog warns.
 */
export function replacesOthers(saved: SystemNotes, { notes, links, values }: NoteEdits): boolean {
  const isReplaced = (edit: NoteEdit<unknown> | undefined, now: unknown): boolean => {
    if (edit === undefined) return false
    const [from, to, current] = [edit.from, edit.to, now].map((value) => JSON.stringify(value))
    return current !== from && current !== to
  }
  return (
    isReplaced(notes, saved.notes) ||
    isReplaced(links, saved.links) ||
    [...values].some(([id, edit]) => isReplaced(edit, saved.values.get(id)))
  )
}
