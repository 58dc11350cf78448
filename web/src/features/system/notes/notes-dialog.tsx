import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessagesOf } from '../../../api/field-messages.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { saveNotes, type DefinedField, type SystemNotes } from '../../../api/system-notes.ts'
import type { System } from '../../../api/system-record.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import * as words from '../../../words/messages.js'
import { LinkRows } from './link-rows.tsx'
import { editedParts, editLinks, editNotes, editValue, noEdits, replacesOthers, withEdits } from './note-edits.ts'
import { ValueField } from './value-field.tsx'

/** Maximum length of a system's notes that the text field accepts, in UTF-16 code units: 20,000. The hub counts code points. */
const LONGEST_NOTES = 20_000

type NotesDialogProps = { system: System; notes: SystemNotes; fields: readonly DefinedField[]; onClose: () => void }

/**
 * React component: dialog that edits a system's notes, links and values of the admin-defined `fields`. `notes` are the saved ones. Changes
 * by others appear in all parts that the user has not changed.
 */
export function NotesDialog({ system, notes, fields, onClose }: NotesDialogProps) {
  const [edits, setEdits] = useState(noEdits)
  const draft = withEdits(notes, edits, fields)
  const saving = useMutation({ mutationFn: () => saveNotes(system.id, notes.id, editedParts(notes, edits, fields)), onSuccess: onClose })
  const refused = fieldMessagesOf(saving.error)
  const { values: valuesProblem, links: linksProblem, system: systemProblem, ...ofFields } = refused
  const general = valuesProblem ?? linksProblem ?? systemProblem
  return (
    <Dialog title={words.notes_title({ name: system.name })} description={words.notes_about()} onClose={onClose}>
      <Form refused={ofFields} onSubmit={() => saving.mutate()}>
        <TextAreaField
          label={words.notes()}
          name="notes"
          rows={6}
          isProse
          maxLength={LONGEST_NOTES}
          value={draft.notes}
          onChange={(text) => setEdits(editNotes(edits, notes, text))}
        />
        <LinkRows links={draft.links} onChange={(links) => setEdits(editLinks(edits, notes, links))} />
        {fields.map((field) => (
          <ValueField
            key={field.id}
            field={field}
            value={draft.values.get(field.id)}
            onChange={(to) => setEdits(editValue(edits, notes, { id: field.id, to }))}
          />
        ))}
        {replacesOthers(notes, edits) && <output className="text-note text-muted">{words.notes_replaced()}</output>}
        {saving.isError && Object.keys(ofFields).length === 0 && <FormError message={general ?? messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
