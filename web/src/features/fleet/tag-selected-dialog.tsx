import { useMemo, useState } from 'react'
import { changeTags } from '../../api/change-systems.ts'
import { fieldMessagesOf } from '../../api/field-messages.ts'
import { messageOf } from '../../api/request-failed.ts'
import type { System } from '../../api/system-record.ts'
import { countTags } from '../../api/system-tags.ts'
import { tagErrorOf } from '../../format/tag-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { chooseTags, noTagChoice, type TagChoice } from '../../ui/tag-choice.ts'
import { TagChoiceField } from '../../ui/tag-choice-field.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { onEach, type Failure } from './on-each.ts'
import { bulkChanges } from './bulk-tag-changes.ts'

type TagSelectedDialogProps = { systems: readonly System[]; all: readonly System[]; onClose: () => void }

/**
 * Progress of the dialog that changes tags of the selected systems: `done` of `total` systems have been processed. `failures` has the
 * systems whose change failed, with the error; `undefined` while requests run.
 */
type Run = { readonly done: number; readonly total: number; readonly failures: readonly Failure<System>[] | undefined }

/**
 * React component: dialog that adds tags to all selected `systems` and removes tags from them. Afterwards it lists the systems whose change
 * the hub refused, with the reason. `all` systems provide suggested tags.
 */
export function TagSelectedDialog({ systems, all, onClose }: TagSelectedDialogProps) {
  const [added, setAdded] = useState(noTagChoice)
  const [removed, setRemoved] = useState(noTagChoice)
  const [run, setRun] = useState<Run>()
  const everywhere = useMemo(() => [...countTags(all).keys()], [all])
  const here = useMemo(() => [...countTags(systems).keys()], [systems])

  const submit = async () => {
    const changes = bulkChanges(systems, chooseTags(added, added.typed).tags, chooseTags(removed, removed.typed).tags)
    const total = changes.length
    setRun({ done: 0, total, failures: undefined })
    const failures = await onEach(
      changes,
      ({ system, change }) => changeTags(system, change),
      (done) => setRun({ done, total, failures: undefined }),
    )
    showToast({ title: words.tags_changed({ count: total - failures.length }) })
    if (failures.length === 0) onClose()
    else setRun({ done: total, total, failures: failures.map(({ item, error }) => ({ item: item.system, error })) })
  }

  return (
    <Dialog title={words.tags_of_selected({ count: systems.length })} description={words.tags_of_selected_about()} onClose={onClose}>
      <Form check={() => errorsOf(added, removed)} onSubmit={() => void submit()}>
        <TagChoiceField label={words.tags_add()} name="added" proposals={everywhere} choice={added} onChange={setAdded} />
        <TagChoiceField
          label={words.tags_remove()}
          name="removed"
          action={words.select()}
          proposals={here}
          choice={removed}
          onChange={setRemoved}
        />
        <output className="block">
          {run !== undefined && run.failures === undefined && words.done_of({ done: run.done, total: run.total })}
        </output>
        {run?.failures !== undefined && <Refusals failures={run.failures} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{run === undefined ? words.cancel() : words.close()}</Button>
          <Button look="primary" type="submit" disabled={run !== undefined && run.failures === undefined}>
            {words.apply()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function errorsOf(added: TagChoice, removed: TagChoice): Readonly<Record<string, string>> {
  const [addError, removeError] = [tagErrorOf(added.typed), tagErrorOf(removed.typed)]
  return { ...(addError === undefined ? {} : { added: addError }), ...(removeError === undefined ? {} : { removed: removeError }) }
}

/** React component: list of the systems whose tags the hub refused to change, each with the hub's reason, from `failures`. */
const Refusals = ({ failures }: { failures: readonly Failure<System>[] }) => (
  <div role="alert" className="rounded-control bg-crit-soft px-3 py-2 text-note">
    <p className="font-medium text-crit">{words.tags_refused({ count: failures.length })}</p>
    <ul className="mt-1 max-h-40 overflow-y-auto wrap-anywhere">
      {failures.map(({ item, error }) => (
        <li key={item.id}>
          <b className="font-medium">{item.name}</b>: {fieldMessagesOf(error)['tags'] ?? messageOf(error)}
        </li>
      ))}
    </ul>
  </div>
)
