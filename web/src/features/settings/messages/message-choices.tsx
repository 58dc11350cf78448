import type { JsonRecord } from '../../../api/json.ts'
import { MOST_GROUP_MINUTES, readMessageSettings } from '../../../api/message-templates.ts'
import { messageOf } from '../../../api/request-failed.ts'
import { useChangeSettings } from '../../../preferences/use-change-settings.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import * as words from '../../../words/messages.js'
import { TemplateForm } from './template-form.tsx'

/**
 * React component: content of the settings card about messages: the grouping window in minutes, and the form with the message templates.
 * `settings` are the user's stored settings.
 */
export function MessageChoices({ settings }: { settings: JsonRecord }) {
  const change = useChangeSettings()
  const { groupMinutes, templates, language } = readMessageSettings(settings)
  return (
    <div className="flex flex-col gap-4">
      <NumberField
        label={words.message_group_minutes()}
        hint={words.message_group_minutes_about()}
        value={groupMinutes}
        min={0}
        max={MOST_GROUP_MINUTES}
        step={1}
        required
        className="max-w-80"
        onCommit={(minutes = 0) => change.mutate({ merge: { groupMinutes: minutes === 0 ? null : minutes } })}
      />
      {change.isError && <FormError message={messageOf(change.error)} />}
      <TemplateForm settings={settings} stored={templates} language={language} />
    </div>
  )
}
