import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { editSystem } from '../../api/change-systems.ts'
import { checkSystem, hasProblems, type SystemDraft } from '../../api/system-draft.ts'
import { messageOf, RequestFailed } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SystemFields } from './system-fields.tsx'
import * as words from '../../words/messages.js'

export function EditSystemDialog({ system, onClose }: { system: System; onClose: () => void }) {
  const [draft, setDraft] = useState<SystemDraft>({ name: system.name, host: system.host, port: system.port })
  const [submitted, setSubmitted] = useState(false)
  const change = useMutation({
    mutationFn: () => editSystem(system, draft),
  })
  const problems = checkSystem(draft)
  const refused = change.error instanceof RequestFailed ? change.error.fieldMessages : {}
  return (
    <Dialog
      title={words.edit_title({ name: system.name })}
      description={words.edit_description()}
      closeLabel={words.close()}
      onClose={onClose}
    >
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if (!hasProblems(problems)) change.mutate(undefined, { onSuccess: onClose })
        }}
      >
        <SystemFields draft={draft} onChange={setDraft} problems={submitted ? problems : {}} refused={refused} />
        {change.isError && (
          <p role="alert" className="text-note text-crit">
            {messageOf(change.error)}
          </p>
        )}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={change.isPending}>
            {words.save()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
