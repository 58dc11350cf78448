import { useState } from 'react'
import type { TimeWindow } from '../../api/stats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { FieldErrors } from '../../ui/form-errors.ts'
import { Form } from '../../ui/form.tsx'
import { useNow } from '../../ui/use-now.ts'
import * as words from '../../words/messages.js'
import {
  windowDraftOf,
  draftOfShown,
  pickedPresets,
  presetWindow,
  windowOfDraft,
  type PickedPreset,
  type WindowProblem,
  type WindowProblems,
} from './picked-window.ts'

const problemWords: Readonly<Record<WindowProblem, () => string>> = {
  required: words.window_required,
  future: words.window_future,
  notAfter: words.window_not_after,
}

const inWords = (problems: WindowProblems): FieldErrors =>
  Object.fromEntries(Object.entries(problems).map(([end, problem]: [string, WindowProblem]) => [end, problemWords[problem]()]))

const presetWords: Readonly<Record<PickedPreset, () => string>> = {
  today: words.window_today,
  yesterday: words.window_yesterday,
  week: words.window_week,
}

const NOW_INTERVAL_MS = 1_000

type WindowDialogProps = { window: TimeWindow; onPick: (window: TimeWindow) => void; onClose: () => void }

/**
 * React component: dialog in which the user selects start and end of the time range that a system's charts show. `onPick` gets the selected
 * range in epoch ms.
 */
export function WindowDialog({ window, onPick, onClose }: WindowDialogProps) {
  const { timeZone } = useFormats()
  const now = useNow(NOW_INTERVAL_MS)
  const [draft, setDraft] = useState(() => draftOfShown(window, now, timeZone))
  const picked = windowOfDraft(draft, now, timeZone)
  return (
    <Dialog title={words.pick_window()} description={words.pick_window_about()} onClose={onClose}>
      <Form
        check={() => ('problems' in picked ? inWords(picked.problems) : {})}
        onSubmit={() => 'window' in picked && onPick(picked.window)}
      >
        <div className="flex flex-wrap gap-2">
          {pickedPresets.map((preset) => (
            <Button key={preset} onClick={() => setDraft(windowDraftOf(presetWindow(preset, now, timeZone), timeZone))}>
              {presetWords[preset]()}
            </Button>
          ))}
        </div>
        <div className="grid gap-3 sm:grid-cols-2">
          <DateTimeField
            label={words.window_from()}
            name="from"
            kind="date and time"
            value={draft.from}
            onChange={(from) => setDraft({ ...draft, from })}
          />
          <DateTimeField
            label={words.window_to()}
            name="to"
            kind="date and time"
            value={draft.to}
            onChange={(to) => setDraft({ ...draft, to })}
          />
        </div>
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit">
            {words.window_show()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
