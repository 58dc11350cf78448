import { useRef, useState } from 'react'
import type { JsonRecord } from '../../../api/json.ts'
import { storedTemplates, templateLimits, unknownPlaceholder, type MessageTemplates } from '../../../api/message-templates.ts'
import { failureDetailOf } from '../../../api/field-messages.ts'
import { useChangeSettings } from '../../../preferences/use-change-settings.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import * as words from '../../../words/messages.js'
import { insertText, type TextControl } from './insert-text.ts'
import { MessageExamples } from './message-examples.tsx'
import { PlaceholderList } from './placeholder-list.tsx'

type TemplateFormProps = {
  settings: JsonRecord
  /** Message templates that the user's settings contain, with which the form starts. */
  stored: MessageTemplates
  /** Language of the user's notifications, in which the preview is rendered. */
  language: 'en' | 'de'
}

const standard: MessageTemplates = { title: '', text: '' }

/**
 * React component: form that edits and saves the templates for title and text of messages about alerts. It lists the placeholders to
 * insert, and shows a preview.
 */
export function TemplateForm({ settings, stored, language }: TemplateFormProps) {
  const [draft, setDraft] = useState(stored)
  const change = useChangeSettings()
  const fields = useRef<HTMLDivElement>(null)
  // Placeholders are inserted into the field that was used last; at first, into the text.
  const used = useRef<TextControl>(undefined)
  const edit = (some: Partial<MessageTemplates>) => setDraft((current) => ({ ...current, ...some }))
  const save = (templates: MessageTemplates) => change.mutate({ merge: { messageTemplates: storedTemplates(settings, templates) } })
  const problems = problemsOf(draft)
  const isStandard = [draft, stored].every(({ title, text }) => title === '' && text === '')
  return (
    <Form check={() => problems} onSubmit={() => save(draft)}>
      <div
        ref={fields}
        className="flex flex-col gap-3"
        onFocus={({ target }) => {
          if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) used.current = target
        }}
      >
        <TextField
          label={words.message_template_title()}
          name="title"
          hint={words.message_template_about()}
          error={problems['title']}
          maxLength={templateLimits.title}
          autoComplete="off"
          spellCheck={false}
          value={draft.title}
          onChange={({ target }) => edit({ title: target.value })}
        />
        <TextAreaField
          label={words.message_template_text()}
          name="text"
          hint={words.message_template_about()}
          error={problems['text']}
          rows={4}
          maxLength={templateLimits.text}
          value={draft.text}
          onChange={(text) => edit({ text })}
        />
      </div>
      <PlaceholderList
        onInsert={(name) => {
          const control = used.current ?? fields.current?.querySelector('textarea')
          if (control) insertText(control, `{${name}}`)
        }}
      />
      <MessageExamples templates={draft} isValid={Object.keys(problems).length === 0} language={language} />
      {change.isError && <FormError message={failureDetailOf(change.error)} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" type="submit" disabled={change.isPending}>
          {words.save()}
        </Button>
        <Button
          disabled={change.isPending || isStandard}
          onClick={() => {
            setDraft(standard)
            save(standard)
          }}
        >
          {words.message_template_reset()}
        </Button>
        <output className="text-small text-muted">{change.isSuccess && words.settings_saved()}</output>
      </div>
    </Form>
  )
}

function problemsOf(templates: MessageTemplates): Readonly<Record<string, string>> {
  const problems = (['title', 'text'] as const).flatMap((part) => {
    const name = unknownPlaceholder(templates[part])
    return name === undefined ? [] : [[part, words.message_template_unknown({ name: `{${name}}` })] as const]
  })
  return Object.fromEntries(problems)
}
