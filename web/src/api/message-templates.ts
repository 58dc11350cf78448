import { keepPreviousData } from '@tanstack/react-query'
import { sendRequest } from './client.ts'
import { listOf, numberOf, recordOf, textOf, type JsonRecord } from './json.ts'
import { serverQuery } from './server-query.ts'

/** Names that a message template may have in braces, in display order. */
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

/** Maximum number of characters of a message template; the hub refuses longer ones. */
export const templateLimits = { title: 200, text: 2000 } as const

/** Maximum length of a grouping window, in minutes: 60. */
export const MOST_GROUP_MINUTES = 60

/** Templates for messages about one alert; `''` for the standard title or text. */
export type MessageTemplates = { readonly title: string; readonly text: string }

/** Grouping window in minutes (0 for none), message templates and language of notifications, from a user's settings. */
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
 * Returns the setting `messageTemplates` with changed templates; fields of a newer hub in the settings stay. Null, which removes the
 * setting, if nothing is left.
 */
export function storedTemplates({ messageTemplates }: JsonRecord, { title, text }: MessageTemplates): JsonRecord | null {
  const { title: _title, text: _text, ...others } = recordOf(messageTemplates)
  const next = { ...others, ...(title === '' ? {} : { title }), ...(text === '' ? {} : { text }) }
  return Object.keys(next).length === 0 ? null : next
}

/** Returns the first name in braces of a template that is no placeholder. `undefined` if there is none. */
export const unknownPlaceholder = (template: string): string | undefined =>
  [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name).find((name) => !placeholders.some((one) => one === name))

/** Names of the example messages in a preview, in their order. */
const exampleStates = ['fired', 'worse', 'reminder', 'resolved', 'down'] as const
export type ExampleState = (typeof exampleStates)[number]

/** Example message that the hub rendered by templates, about an alert of an example system. */
export type ExampleMessage = { readonly state: ExampleState; readonly title: string; readonly text: string }

async function fetchExamples(body: MessageTemplates & { readonly language: 'en' | 'de' }, signal: AbortSignal) {
  const { examples } = recordOf(await sendRequest('POST', '/api/vedette/message-preview', body, { signal }))
  return listOf(examples).flatMap((item): readonly ExampleMessage[] => {
    const { state, title, text } = recordOf(item)
    const known = exampleStates.find((one) => one === state)
    return known === undefined ? [] : [{ state: known, title: textOf(title) ?? '', text: textOf(text) ?? '' }]
  })
}

/** TanStack Query options for the example messages of templates. The previous ones stay visible while the next ones load. */
export const messageExamplesQuery = ({ title, text }: MessageTemplates, language: 'en' | 'de') =>
  serverQuery(['message-examples', title, text, language], (signal) => fetchExamples({ title, text, language }, signal), {
    placeholderData: keepPreviousData,
  })
