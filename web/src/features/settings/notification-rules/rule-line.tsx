import type { StoredRule } from '../../../api/notification-rules.ts'
import { useFormats } from '../../../preferences/use-preferences.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import * as words from '../../../words/messages.js'
import { ChannelLines } from './channel-lines.tsx'
import type { EditedRule } from './rule-dialog.tsx'
import { ruleName } from './rule-name.ts'

type RuleLineProps = {
  stored: StoredRule
  /** Place of the notification rule in the user's list of rules, from 1 to `count`. */
  position: number
  count: number
  /**
   * List of the addresses in the user's settings (email addresses, webhook URLs). A channel of the notification rule that is not among them
   * is shown as removed.
   */
  addresses: readonly string[]
  onMove: (by: -1 | 1) => void
  onEdit: (edited: EditedRule) => void
  onDelete: (name: string) => void
}

/**
 * React component: list item of a notification rule: conditions, channels, and buttons that move, edit and delete it. `onMove` gets -1 (up)
 * or 1 (down), `onDelete` the rule's displayed name.
 */
export function RuleLine({ stored: { key, rule }, position, count, addresses, onMove, onEdit, onDelete }: RuleLineProps) {
  const formats = useFormats()
  const text = ruleName(rule, formats)
  const name = words.notify_rule_name({ position, rule: text })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="flex min-w-40 flex-1 flex-col gap-0.5">
        <p className="font-medium wrap-anywhere">
          {position}. {text}
        </p>
        {rule === undefined ? (
          <p className="text-note text-muted">{words.notify_rule_unknown_about()}</p>
        ) : (
          <RuleChannels channels={rule.channels} addresses={addresses} />
        )}
      </div>
      <div className="flex items-center gap-2">
        <MoveButton label={words.notify_rule_up({ rule: name })} icon="up" isAtEnd={position === 1} onMove={() => onMove(-1)} />
        <MoveButton label={words.notify_rule_down({ rule: name })} icon="down" isAtEnd={position === count} onMove={() => onMove(1)} />
        {rule !== undefined && (
          <Button aria-label={words.notify_rule_edit_one({ rule: name })} onClick={() => onEdit({ key, rule })}>
            {words.edit()}
          </Button>
        )}
        <Button aria-label={words.notify_rule_delete_one({ rule: name })} onClick={() => onDelete(name)}>
          {words.delete_action()}
        </Button>
      </div>
    </li>
  )
}

/**
 * React component: button that calls `onMove`, to move a notification rule up or down. If `isAtEnd` it does nothing, but stays focusable so
 * that the keyboard focus is not lost.
 */
const MoveButton = ({ label, icon, isAtEnd, onMove }: { label: string; icon: 'up' | 'down'; isAtEnd: boolean; onMove: () => void }) => (
  <Button look="icon" className="aria-disabled:opacity-60" aria-label={label} aria-disabled={isAtEnd} onClick={() => isAtEnd || onMove()}>
    <Icon name={icon} />
  </Button>
)

/**
 * React component: names of the channels (email addresses, webhook URLs) of a notification rule. A channel that `addresses`, those in the
 * settings, lacks is marked; without channels a text says that nothing is sent.
 */
function RuleChannels({ channels, addresses }: { channels: readonly string[]; addresses: readonly string[] }) {
  if (channels.length === 0) return <p className="text-note text-muted">{words.notify_rule_nothing()}</p>
  return <ChannelLines channels={channels} addresses={addresses} allRemoved={words.notify_rule_all_removed()} />
}
