import type { System } from '../../api/system-record.ts'
import { ReloadOffer } from '../../navigation/loaded-part.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuOnDemand } from '../../ui/menu-on-demand.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'
import type { OpenRowDialog } from './row-dialog.ts'

const RowMenu = onDemand(async () => (await import('./row-menu.tsx')).RowMenu)

type RowActionsProps = {
  system: System
  alertNames: string | undefined
  address: string
  mayChange: boolean
  onDialog: OpenRowDialog
}

/**
 * React component: buttons in a system's row of the table, one for its alert rules and one for its menu of actions. The first has a filled
 * icon when the user has a rule (`alertNames`). It and items of the menu call `onDialog`.
 */
export function RowActions({ system, alertNames, address, mayChange, onDialog }: RowActionsProps) {
  return (
    <span className="relative z-1 inline-flex items-center justify-end gap-0.5">
      <Button
        look="icon"
        aria-haspopup="dialog"
        aria-label={words.set_alerts({ name: system.name }) + (alertNames === undefined ? '' : `: ${alertNames}`)}
        data-tooltip={alertNames === undefined ? words.no_alerts() : words.has_alerts({ rules: alertNames })}
        onClick={() => onDialog('alerts', system.id)}
      >
        <Icon name="bell" className={alertNames === undefined ? 'size-4' : 'size-4 fill-current'} />
      </Button>
      <MenuOnDemand
        button={{ look: 'icon', 'aria-label': words.system_menu({ name: system.name }), children: <Icon name="dots" /> }}
        load={RowMenu.load}
        renderMenu={(trigger) => <RowMenu trigger={trigger} system={system} address={address} mayChange={mayChange} onDialog={onDialog} />}
        renderFailed={() => <ReloadOffer />}
      />
    </span>
  )
}
