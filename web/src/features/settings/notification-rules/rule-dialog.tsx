import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { withRuleAdded, withRuleReplaced, type NotificationRule } from '../../../api/notification-rules.ts'
import { systemsQuery } from '../../../api/queries.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { countTags, mayGiveAccess } from '../../../api/system-tags.ts'
import { Button } from '../../../ui/button.tsx'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TagField } from '../../../ui/tag-field.tsx'
import * as words from '../../../words/messages.js'
import { ChannelsField } from './channels-field.tsx'
import { newRuleDraft, readRuleDraft, ruleDraftOf, type RuleDraft } from './rule-draft.ts'
import { useChangeRules } from './use-change-rules.ts'

/** Existing notification rule that the dialog edits, with the key that identifies it in the list of rules. */
export type EditedRule = { readonly key: string; readonly rule: NotificationRule }

type RuleDialogProps = {
  /** Notification rule that the dialog changes; `undefined` to add a rule. */
  edited: EditedRule | undefined
  /**
   * List of the addresses in the user's settings (email addresses, webhook URLs), from which the user of the dialog selects the rule's
   * channels.
   */
  addresses: readonly string[]
  /** IANA time zone, such as `Europe/Berlin`, in which the rule's times of day apply; it is that of the quiet hours. */
  timeZone: string
  onSaved: () => void
  onClose: () => void
}

/**
 * React component: dialog that adds a notification rule, or changes the rule `edited`. A new rule starts with all channels selected, so
 * that no message is lost by mistake. `onSaved` is called after the hub has stored it.
 */
export function RuleDialog({ edited, addresses, timeZone, onSaved, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState(() => (edited === undefined ? newRuleDraft(addresses) : ruleDraftOf(edited.rule)))
  const change = (some: Partial<RuleDraft>) => setDraft((current) => ({ ...current, ...some }))
  const saving = useChangeRules()
  const read = readRuleDraft(draft)
  return (
    <Dialog
      title={edited === undefined ? words.notify_rule_add_title() : words.notify_rule_edit_title()}
      description={words.notify_rule_dialog_about()}
      onClose={onClose}
    >
      <Form
        check={() => ('errors' in read ? read.errors : {})}
        onSubmit={() => {
          if ('errors' in read) return
          saving.mutate(edited === undefined ? withRuleAdded(read.rule) : withRuleReplaced(edited.key, read.rule), { onSuccess: onSaved })
        }}
      >
        <SystemFields draft={draft} onChange={change} />
        <SelectField
          label={words.policy_field_severity()}
          name="severity"
          choices={[
            { value: 'every', label: words.notify_rule_any_severity() },
            { value: 'critical', label: words.severity_critical() },
            { value: 'warning', label: words.severity_warning() },
          ]}
          value={draft.severity}
          onChange={(severity) => change({ severity })}
        />
        <HourFields draft={draft} timeZone={timeZone} onChange={change} />
        <ChannelsField
          addresses={addresses}
          chosen={draft.channels}
          about={draft.channels.length === 0 ? words.notify_rule_sends_nothing() : words.notify_rule_channels_about()}
          onChange={(channels) => change({ channels })}
        />
        {saving.isError && <FormError message={messageOf(saving.error)} />}
        <div className="mt-1 flex justify-end gap-2">
          <Button onClick={onClose}>{words.cancel()}</Button>
          <Button look="primary" type="submit" disabled={saving.isPending}>
            {words.save()}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type DraftFieldsProps = { draft: RuleDraft; onChange: (some: Partial<RuleDraft>) => void }

/**
 * React component: form fields that select the systems of a notification rule: all, or those with a trusted tag (set or accepted by an
 * admin). `onChange` gets the changed values of `draft`.
 */
function SystemFields({ draft, onChange }: DraftFieldsProps) {
  const { data: systems } = useQuery(systemsQuery)
  const proposals = useMemo(
    () => [...countTags((systems ?? []).map(({ tags }) => ({ tags: tags.filter(mayGiveAccess) }))).keys()],
    [systems],
  )
  return (
    <>
      <SelectField
        label={words.policy_field_range()}
        name="range"
        choices={[
          { value: 'everything', label: words.policy_everything() },
          { value: 'tag', label: words.policy_range_tag() },
        ]}
        value={draft.range}
        onChange={(range) => onChange({ range })}
      />
      {draft.range === 'tag' && (
        <TagField
          label={words.grant_field()}
          name="tag"
          hint={words.policy_hint_tag()}
          isSingle
          typed={draft.tag}
          proposals={proposals}
          onType={(tag) => onChange({ tag })}
          onAdd={(tag) => onChange({ tag })}
        />
      )}
    </>
  )
}

/**
 * React component: form fields for the times of day at which a notification rule applies: always, or from one time to another in
 * `timeZone`. `onChange` gets the changed values of `draft`.
 */
function HourFields({ draft, timeZone, onChange }: DraftFieldsProps & { timeZone: string }) {
  return (
    <>
      <SelectField
        label={words.notify_rule_field_hours()}
        name="hours"
        hint={draft.hours === 'some' ? words.notify_rule_hours_zone({ zone: timeZone }) : undefined}
        choices={[
          { value: 'all', label: words.notify_rule_all_day() },
          { value: 'some', label: words.notify_rule_some_hours() },
        ]}
        value={draft.hours}
        onChange={(hours) => onChange({ hours })}
      />
      {draft.hours === 'some' && (
        <div className="flex flex-wrap gap-3">
          <DateTimeField
            label={words.window_from()}
            name="from"
            kind="time"
            required
            value={draft.from}
            className="flex-1 basis-40"
            onChange={(from) => onChange({ from })}
          />
          <DateTimeField
            label={words.window_to()}
            name="to"
            kind="time"
            required
            value={draft.to}
            className="flex-1 basis-40"
            onChange={(to) => onChange({ to })}
          />
        </div>
      )}
    </>
  )
}
