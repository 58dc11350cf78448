import { keepPreviousData } from '@tanstack/react-query'
import { sendRequest } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { serverQuery } from './server-query.ts'

/**
 * List of the placeholders of message templates, such as `system`, in display order. In a template, `{system}` is replaced by the system's
 * name.
 */
export const placeholders = [
  'system',
  'alert',
  'state',
  'severity',
  'value',
  'threshold',
  'minutes',
  'since',
  'target',
  'reason',
  'link',
  'title',
  'text',
] as const
export type Placeholder = (typeof placeholders)[number]

/** Maximum lengths of a message's title and text template in characters; the hub refuses longer ones. */
export const templateLimits = { title: 200, text: 2000 } as const

/** Maximum length in minutes, 60, of a grouping window: alerts within the window are sent in one message. The form refuses a longer one. */
export const MOST_GROUP_MINUTES = 60

/** A user's templates for the messages about alerts, such as `{system}: {alert}`. An empty string selects the standard title or text. */
export type MessageTemplates = { readonly title: string; readonly text: string }

/**
 * Settings of a user for messages about alerts: grouping window in minutes (alerts within it share one message; 0 for none), message
 * templates, and language.
 */
export type MessageSettings = { readonly groupMinutes: number; readonly templates: MessageTemplates; readonly language: 'en' | 'de' }

export function readMessageSettings({ groupMinutes, messageTemplates, language }: JsonRecord): MessageSettings {
  const { title, text } = recordOf(messageTemplates)
  return {
    groupMinutes: numberOf(groupMinutes) ?? 0,
    templates: { title: textOf(title) ?? '', text: textOf(text) ?? '' },
    language: language === 'de' ? 'de' : 'en',
  }
}

/**
 * Takes the user's settings and edited templates. Returns the new JSON value of the setting `messageTemplates`, with unknown fields of a
 * newer hub unchanged. Null, which removes the setting, if nothing is left.
 */
export function storedTemplates({ messageTemplates }: JsonRecord, { title, text }: MessageTemplates): JsonRecord | null {
  const { title: _title, text: _text, ...others } = recordOf(messageTemplates)
  const next = { ...others, ...(title === '' ? {} : { title }), ...(text === '' ? {} : { text }) }
  return Object.keys(next).length === 0 ? null : next
}

/**
 * Returns the first name in braces in a template that is no placeholder, such as `hots` in `{hots}`; `undefined` if there is none. It is
 * for the form's error message.
 */
export const unknownPlaceholder = (template: string): string | undefined =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name).find((name) => !placeholders.some((one) => one === name))

/**
 * States of the example alert for which the hub renders one message each, in the order of the preview: fired, worse, reminder, resolved,
 * down.
 */
const exampleStates = ['fired', 'worse', 'reminder', 'resolved', 'down'] as const
export type ExampleState = (typeof exampleStates)[number]

/**
 * Example message about an alert of an example system, with title and text as the hub rendered them by the edited templates. `state` is the
 * alert's state, such as `fired`.
 */
export type ExampleMessage = { readonly state: ExampleState; readonly title: string; readonly text: string }

async function fetchExamples(body: MessageTemplates & { readonly language: 'en' | 'de' }, signal: AbortSignal) {
  const { examples } = recordOf(await sendRequest('POST', '/api/vedette/message-preview', body, { signal }))
  return listOf(examples).flatMap((item): readonly ExampleMessage[] => {
    const { state, title, text } = recordOf(item)
    const known = exampleStates.find((one) => one === state)
    return known === undefined ? [] : [{ state: known, title: textOf(title) ?? '', text: textOf(text) ?? '' }]
  })
}

/**
 * TanStack Query options for the example messages that the hub renders by the edited templates in a language. The previous ones stay
 * visible while the next ones load.
 */
export const messageExamplesQuery = ({ title, text }: MessageTemplates, language: 'en' | 'de') =>
  serverQuery(['message-examples', title, text, language], (signal) => fetchExamples({ title, text, language }, signal), {
    placeholderData: keepPreviousData,
  })
