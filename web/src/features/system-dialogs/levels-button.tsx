import { useState } from 'react'
import { alertLabel, type AlertKind } from '../../api/alert-kinds.ts'
import { LoadedPart } from '../../navigation/loaded-part.tsx'
import { Button } from '../../ui/button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'
import type { ShownRule } from './system-policy.ts'

const LevelsDialog = onDemand(async () => (await import('./levels-dialog.tsx')).LevelsDialog)

type LevelsButtonProps = {
  kind: AlertKind
  systemId: string
  target: string | undefined
  rule: ShownRule
  /** Called before the dialog opens. It must start to save pending changes of the rule. */
  onOpen: () => void
  /** Called after the policy is saved. It must fetch the system's rules again. */
  onStored: () => Promise<unknown>
}

/** React component: button of an alert card that opens the dialog with all thresholds of the rule. */
export function LevelsButton({ onOpen, ...dialog }: LevelsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen()
    setOpen(true)
  }
  return (
    <>
      <Button
        className="self-start"
        aria-haspopup="dialog"
        aria-label={words.alert_levels_of({ alert: alertLabel(dialog.kind.name, dialog.target) })}
        onClick={open}
      >
        {words.alert_levels()}
      </Button>
      {isOpen && (
        <LoadedPart>
          <LevelsDialog {...dialog} onClose={() => setOpen(false)} />
        </LoadedPart>
      )}
    </>
  )
}
