import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { settingsQuery } from '../../../api/account.ts'
import { textOf, type JsonRecord } from '../../../api/json.ts'
import { MOST_NOTIFICATION_RULES, readNotificationRules, withRuleMoved, type StoredRule } from '../../../api/notification-rules.ts'
import { quietHoursQuery, readNotifications } from '../../../api/notification-settings.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import * as words from '../../../words/messages.js'
import type { EditedRule } from './rule-dialog.tsx'
import { RuleLine } from './rule-line.tsx'
import { useChangeRules } from './use-change-rules.ts'

const RuleDialog = onDemand(async () => (await import('./rule-dialog.tsx')).RuleDialog)
const DeleteRuleDialog = onDemand(async () => (await import('./delete-rule-dialog.tsx')).DeleteRuleDialog)

/**
 * React component: settings card with the user's notification rules, which select the channels (email addresses, webhook URLs) for a
 * message. It has buttons to add, move, edit and delete rules.
 */
export function NotificationRulesCard() {
  const query = useQuery(settingsQuery)
  return (
    <Card id="notification-rules" title={words.settings_notification_rules()} description={words.settings_notification_rules_about()}>
      <Awaited query={query}>{(settings) => <NotificationRules settings={settings} />}</Awaited>
    </Card>
  )
}

/** Dialog that is open above the card of notification rules: `edit` or `delete`. `edit` without `edited` adds a rule. */
type OpenDialog =
  | { readonly kind: 'edit'; readonly edited?: EditedRule }
  | { readonly kind: 'delete'; readonly key: string; readonly name: string }

function NotificationRules({ settings }: { settings: JsonRecord }) {
  const { data: quiet } = useQuery(quietHoursQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const [changes, setChanges] = useState(0)
  const list = useRef<HTMLFieldSetElement>(null)
  // The button that opened the dialog is gone with the earlier form of its rule.
  useEffect(() => {
    if (changes > 0 && document.activeElement === document.body) list.current?.focus()
  }, [changes])
  const rules = readNotificationRules(settings)
  if (rules === undefined) return <p className="text-muted">{words.notify_rules_unreadable()}</p>
  const { emails, webhooks } = readNotifications(settings)
  const addresses = [...emails, ...webhooks]
  const close = () => setDialog(undefined)
  const closeChanged = () => {
    close()
    setChanges(changes + 1)
  }
  return (
    <fieldset
      ref={list}
      tabIndex={-1}
      aria-label={words.settings_notification_rules()}
      className="flex w-full min-w-0 flex-col items-start gap-2"
    >
      {rules.length === 0 ? (
        <p className="text-muted">{words.notify_rules_none()}</p>
      ) : (
        <RuleList rules={rules} addresses={addresses} onDialog={setDialog} />
      )}
      {rules.length < MOST_NOTIFICATION_RULES ? (
        <Button onClick={() => setDialog({ kind: 'edit' })}>{words.notify_rule_add()}</Button>
      ) : (
        <p className="text-note text-muted">{words.problem_most_entries({ max: MOST_NOTIFICATION_RULES })}</p>
      )}
      {dialog?.kind === 'edit' && (
        <RuleDialog
          edited={dialog.edited}
          addresses={addresses}
          timeZone={quiet?.timeZone ?? textOf(settings['timeZone']) ?? 'UTC'}
          onSaved={closeChanged}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && <DeleteRuleDialog ruleKey={dialog.key} name={dialog.name} onDeleted={closeChanged} onClose={close} />}
    </fieldset>
  )
}

type RuleListProps = { rules: readonly StoredRule[]; addresses: readonly string[]; onDialog: (dialog: OpenDialog) => void }

function RuleList({ rules, addresses, onDialog }: RuleListProps) {
  const moving = useChangeRules()
  const [moved, setMoved] = useState<string>()
  const position = rules.findIndex(({ key }) => key === moved) + 1
  return (
    <>
      <ol className="w-full divide-y divide-border">
        {rules.map((stored, index) => (
          <RuleLine
            key={stored.key}
            stored={stored}
            position={index + 1}
            count={rules.length}
            addresses={addresses}
            onMove={(by) => {
              setMoved(stored.key)
              moving.mutate(withRuleMoved(stored.key, by))
            }}
            onEdit={(edited) => onDialog({ kind: 'edit', edited })}
            onDelete={(name) => onDialog({ kind: 'delete', key: stored.key, name })}
          />
        ))}
      </ol>
      <output className="sr-only">{position > 0 && words.notify_rule_moved({ position, count: rules.length })}</output>
      {moving.isError && <FormError message={messageOf(moving.error)} />}
    </>
  )
}
