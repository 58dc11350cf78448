import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { signedInUser } from '../../../api/client.ts'
import { followWithSystem } from '../../../api/follow-system.ts'
import { messageOf } from '../../../api/request-failed.ts'
import {
  applyNoteEvent,
  definedFieldsQuery,
  renewNotes,
  systemNotesQuery,
  type DefinedField,
  type SystemNotes,
} from '../../../api/system-notes.ts'
import type { System } from '../../../api/system-record.ts'
import { LoadedPart } from '../../../navigation/loaded-part.tsx'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import * as words from '../../../words/messages.js'
import { Action } from '../inventory/action.tsx'
import { valueText } from './value-text.ts'

const NotesDialog = onDemand(async () => (await import('./notes-dialog.tsx')).NotesDialog)
const FieldsDialog = onDemand(async () => (await import('./fields-dialog.tsx')).FieldsDialog)

type Known = { readonly notes: SystemNotes; readonly fields: readonly DefinedField[] }

/**
 * React component: section of a system's page with its saved notes, links and values of admin-defined fields, and buttons that edit them.
 * It follows realtime changes.
 */
export function Notes({ system }: { system: System }) {
  const notes = useQuery(systemNotesQuery(system.id))
  useFollowedNotes(system.id)
  const fields = useQuery(definedFieldsQuery)
  const failed = [notes, fields].find(({ isError, data }) => isError && data === undefined)
  const known = notes.data === undefined || fields.data === undefined ? undefined : { notes: notes.data, fields: fields.data }
  return (
    <section aria-label={words.notes()} className="mt-7">
      <div className="mb-2.5 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="flex-1 text-body font-semibold text-muted">{words.notes()}</h2>
        <EditButtons system={system} known={known} />
      </div>
      {failed === undefined ? (
        <Loaded known={known} />
      ) : (
        <output className="flex flex-wrap items-center gap-2 text-note text-muted">
          {words.notes_failed()} {messageOf(failed.error)}
          <Action onPress={() => void failed.refetch()}>{words.retry()}</Action>
        </output>
      )}
    </section>
  )
}

/** React hook: keeps the notes of a system and the list of fields up to date by realtime events, while the page is open. */
function useFollowedNotes(systemId: string): void {
  useEffect(
    () =>
      followWithSystem({
        onEvent: (topic, data) => applyNoteEvent(systemId, topic, data),
        onConnect: () => renewNotes(systemId),
      }),
    [systemId],
  )
}

/**
 * React component: buttons that open the dialog for a system's notes and, for admins, the dialog for defined fields. `known` is the loaded
 * data; without it they are disabled. Renders nothing for the role `readonly`.
 */
function EditButtons({ system, known }: { system: System; known: Known | undefined }) {
  const [dialog, setDialog] = useState<'notes' | 'fields'>()
  const role = signedInUser()?.role
  const close = () => setDialog(undefined)
  return (
    <>
      {role === 'admin' && (
        <Button onClick={() => setDialog('fields')} aria-haspopup="dialog" disabled={known === undefined}>
          {words.note_fields_edit()}
        </Button>
      )}
      {role !== 'readonly' && (
        <Button onClick={() => setDialog('notes')} aria-haspopup="dialog" disabled={known === undefined}>
          {words.notes_edit()}
        </Button>
      )}
      {known !== undefined && (
        <LoadedPart>
          {dialog === 'notes' && <NotesDialog system={system} {...known} onClose={close} />}
          {dialog === 'fields' && <FieldsDialog fields={known.fields} onClose={close} />}
        </LoadedPart>
      )}
    </>
  )
}

function Loaded({ known }: { known: Known | undefined }) {
  if (known === undefined) return <div aria-busy="true" className="h-13 animate-skeleton rounded-control bg-sunken" />
  return <Written {...known} />
}

function Written({ notes: { notes, links, values }, fields }: Known) {
  const formats = useFormats()
  const filled = fields.flatMap((field) => {
    const value = values.get(field.id)
    return value === undefined ? [] : [{ field, text: valueText(field, value, formats) }]
  })
  if (notes === '' && links.length === 0 && filled.length === 0)
    return <p className="min-h-13 text-note text-muted">{words.notes_none()}</p>
  return (
    <div className="card flex min-h-13 flex-col gap-3 p-4">
      {notes !== '' && <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">{notes}</p>}
      {links.length > 0 && (
        <ul aria-label={words.links()} className="flex flex-wrap gap-x-4 gap-y-1">
          {links.map(({ name, url }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two links may be equal
            <li key={`${index} ${url}`} className="min-w-0">
              <a href={url} target="_blank" rel="noreferrer" className="text-accent underline wrap-anywhere">
                {name === '' ? url : name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {filled.length > 0 && (
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-2">
          {filled.map(({ field, text }) => (
            <div key={field.id} className="min-w-0">
              <dt className="text-note text-muted wrap-anywhere">{field.name}</dt>
              <dd className="wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
