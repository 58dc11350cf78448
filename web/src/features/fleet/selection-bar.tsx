import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { deleteSystem, setPaused } from '../../api/change-systems.ts'
import { failureDetailOf } from '../../api/field-messages.ts'
import type { System } from '../../api/system-record.ts'
import { comparisonOf, MOST_COMPARED } from '../../navigation/compared-systems.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { useDialog } from '../../navigation/use-dialog.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'
import { onEach, type Failure } from './on-each.ts'
import { onSelectionChange, select, selectedIds } from './selection.ts'

const TagSelectedDialog = onDemand(async () => (await import('./tag-selected-dialog.tsx')).TagSelectedDialog)
const DeleteSelectedDialog = onDemand(async () => (await import('./delete-selected-dialog.tsx')).DeleteSelectedDialog)

type Action = {
  readonly act: (system: System) => Promise<unknown>
  /**
   * Function that returns the translated error message when an action on selected systems failed for one system; `name` is that system's.
   */
  readonly failed: (names: { name: string }) => string
  /** Function that returns the translated error message when an action on selected systems failed for several systems. */
  readonly failedForSeveral: (counts: { count: number }) => string
}

const pause: Action = {
  act: (system) => setPaused(system, true),
  failed: words.pause_failed,
  failedForSeveral: words.pause_several_failed,
}
const resume: Action = {
  act: (system) => setPaused(system, false),
  failed: words.resume_failed,
  failedForSeveral: words.resume_several_failed,
}
const remove: Action = {
  act: deleteSystem,
  failed: words.delete_failed,
  failedForSeveral: words.delete_several_failed,
}

/**
 * Value of the URL parameter `dialog` for the dialog that deletes selected systems. The selection is not in the URL, so that no link can
 * delete systems.
 */
const DELETE_SELECTED = 'delete-selected'
/** Value of the URL parameter `dialog` for the dialog that changes the tags of selected systems. */
const TAG_SELECTED = 'tag-selected'

/**
 * React component: toolbar with actions, such as pausing, on those of the given systems that are selected. `systems` are the systems that
 * match the filter; hidden ones are not affected.
 */
export function SelectionBar({ systems }: { systems: readonly System[] }) {
  const ids = useSyncExternalStore(onSelectionChange, selectedIds)
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const { dialog, open, close } = useDialog()
  useEffect(() => () => select([]), [])
  const chosen = systems.filter(({ id }) => ids.has(id))
  const paused = chosen.filter(({ status }) => status === 'paused')
  const running = chosen.filter(({ status }) => status !== 'paused')
  if (chosen.length === 0 && progress === undefined) return null

  const run = async (action: Action, on: readonly System[]) => {
    if (dialog === DELETE_SELECTED) close()
    setProgress({ done: 0, total: on.length })
    const failures = await onEach(on, action.act, (done) => setProgress({ done, total: on.length }))
    setProgress(undefined)
    tellFailures(action, failures)
    // Failed systems stay selected for another try, as do those selected meanwhile.
    const failed = new Set(failures.map(({ item }) => item.id))
    const over = new Set(chosen.flatMap(({ id }) => (failed.has(id) ? [] : [id])))
    select([...selectedIds()].filter((id) => !over.has(id)))
  }

  return (
    <section
      aria-label={words.selected_systems()}
      aria-busy={progress !== undefined}
      className="fixed bottom-4 left-1/2 z-30 flex w-max max-w-[calc(100vw-24px)] -translate-x-1/2 animate-appear flex-wrap items-center gap-2 rounded-card border border-border-strong bg-surface p-2 pl-3.5 shadow-raised"
    >
      <output className="mr-2 font-medium whitespace-nowrap">
        {progress === undefined ? words.selected_count({ count: chosen.length }) : words.done_of(progress)}
      </output>
      <Button disabled={progress !== undefined || running.length === 0} onClick={() => void run(pause, running)}>
        {words.pause()}
      </Button>
      <Button disabled={progress !== undefined || paused.length === 0} onClick={() => void run(resume, paused)}>
        {words.resume()}
      </Button>
      <Button disabled={progress !== undefined} onClick={() => open(TAG_SELECTED)}>
        {words.tags()}
      </Button>
      {chosen.length > 0 && chosen.length <= MOST_COMPARED && (
        <Link href={comparisonOf(chosen.map(({ id }) => id))} className={buttonLook()}>
          {words.compare_selected()}
        </Link>
      )}
      <Button look="danger" disabled={progress !== undefined} onClick={() => open(DELETE_SELECTED)}>
        {words.delete_action()}
      </Button>
      {chosen.length < systems.length && (
        <Button disabled={progress !== undefined} onClick={() => select(systems.map(({ id }) => id))}>
          {words.select_all({ count: systems.length })}
        </Button>
      )}
      <Button disabled={progress !== undefined} onClick={() => select([])}>
        {words.select_none()}
      </Button>
      {dialog === TAG_SELECTED && (
        <LoadedPart>
          <TagSelectedDialog systems={chosen} all={systems} onClose={close} />
        </LoadedPart>
      )}
      {dialog === DELETE_SELECTED && (
        <LoadedPart>
          <DeleteSelectedDialog systems={chosen} onDelete={() => void run(remove, chosen)} onClose={close} />
        </LoadedPart>
      )}
    </section>
  )
}

/**
 * Maximum number of systems, 5, that the toast (short message) about a failed action names; the number of further ones is shown instead.
 */
const MOST_FAILURES = 5

function tellFailures({ failed, failedForSeveral }: Action, failures: readonly Failure<System>[]): void {
  const [first] = failures
  if (first === undefined) return
  if (failures.length === 1) {
    showToast({ title: failed({ name: first.item.name }), description: failureDetailOf(first.error), look: 'destructive' })
    return
  }
  const told = failures.slice(0, MOST_FAILURES).map(({ item, error }) => `${item.name}: ${failureDetailOf(error)}`)
  const rest = failures.length - told.length
  showToast({
    title: failedForSeveral({ count: failures.length }),
    description: [...told, ...(rest > 0 ? [`+${rest}`] : [])].join(' · '),
    look: 'destructive',
  })
}
