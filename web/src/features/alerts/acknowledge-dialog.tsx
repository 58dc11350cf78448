import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LONGEST_NOTE, snoozeChoices, snoozeMinutesOf, type SnoozeDelay } from '../../api/acknowledgement-words.ts'
import { acknowledgeIncident, type Incident } from '../../api/incidents.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Form } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

/**
 * React component: dialog that acknowledges the firing alert `incident`, or snoozes its reminders for some hours, with an optional note.
 * `name` is the alert's translated name. `onClose` is called after success and on Cancel.
 */
export function AcknowledgeDialog({ incident, name, onClose }: { incident: Incident; name: string; onClose: () => void }) {
  const [delay, setDelay] = useState<SnoozeDelay>('never')
  const saving = useMutation({
    mutationFn: (note: string) => acknowledgeIncident(incident.id, note, snoozeMinutesOf(delay)),
    onSuccess: onClose,
  })
  const refused = fieldMessagesOf(saving.error)
  return (
    <Dialog title={words.acknowledge_title({ alert: name })} description={words.acknowledge_about()} onClose={onClose}>
      {/* The hub refuses control characters: a pasted tab becomes a space. */}
      <Form refused={refused} onSubmit={(textOf) => saving.mutate(textOf('note').replaceAll(/\s+/gu, ' '))}>
        <TextField
          label={words.acknowledge_note()}
          name="note"
          maxLength={LONGEST_NOTE}
          autoComplete="off"
          defaultValue={incident.acknowledgement?.note ?? ''}
        />
        <SelectField label={words.acknowledge_remind()} name="snoozeMinutes" choices={snoozeChoices()} value={delay} onChange={setDelay} />
        {saving.isError && refused['note'] === undefined && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.acknowledge()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
