import { useState } from 'react'
import type { TimeWindow } from '../../api/stats.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useNow } from '../../ui/use-now.ts'
import * as words from '../../words/messages.js'
import { draftOf, pickedPresets, presetWindow, windowOfDraft, type PickedPreset, type WindowProblem } from './picked-window.ts'

const problemWords: Readonly<Record<WindowProblem, () => string>> = {
  required: words.window_required,
  future: words.window_future,
  notAfter: words.window_not_after,
}

const presetWords: Readonly<Record<PickedPreset, () => string>> = {
  today: words.window_today,
  yesterday: words.window_yesterday,
  week: words.window_week,
}

const NOW_INTERVAL_MS = 1_000

type WindowDialogProps = { window: TimeWindow; onPick: (window: TimeWindow) => void; onClose: () => void }

/** Asks from when until when the charts are to show. */
export function WindowDialog({ window, onPick, onClose }: WindowDialogProps) {
  const { timeZone } = useFormats()
  const [draft, setDraft] = useState(() => draftOf(window, timeZone))
  const [submitted, setSubmitted] = useState(false)
  const now = useNow(NOW_INTERVAL_MS)
  const picked = windowOfDraft(draft, now, timeZone)
  const problems = submitted && 'problems' in picked ? picked.problems : {}
  return (
    <Dialog title={words.pick_window()} description={words.pick_window_about()} closeLabel={words.close()} onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
          if ('window' in picked) onPick(picked.window)
        }}
      >
        <div className="flex flex-wrap gap-2">
          {pickedPresets.map((preset) => (
            <Button key={preset} onClick={() => setDraft(draftOf(presetWindow(preset, now, timeZone), timeZone))}>
              {presetWords[preset]()}
            </Button>
          ))}
        </div>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={words.window_from()}
            type="datetime-local"
            value={draft.from}
            error={problems.from && problemWords[problems.from]()}
            onChange={(event) => setDraft({ ...draft, from: event.target.value })}
          />
          <TextField
            label={words.window_to()}
            type="datetime-local"
            value={draft.to}
            error={problems.to && problemWords[problems.to]()}
            onChange={(event) => setDraft({ ...draft, to: event.target.value })}
          />
        </div>
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit">
            {words.window_show()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
