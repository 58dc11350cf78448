import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { NoticeBody, Transition } from '../notifications/notice.ts'
import type { NoticeWords } from '../notifications/words/notice-words.ts'
import { templatedTexts } from '../notifications/words/templated-text.ts'

/**
 * Names of the example messages in a preview of message templates, in their order: `fired`, `worse`, `reminder`, `resolved`, `down`. `down`
 * is the "fired" of the alert `Status`; the others are about measured values.
 */
export const exampleStates = ['fired', 'worse', 'reminder', 'resolved', 'down'] as const
type ExampleState = (typeof exampleStates)[number]

type Example = { readonly transition: Transition; readonly body: Omit<NoticeBody, 'systemName' | 'beganMs'> }

const examples: Readonly<Record<ExampleState, Example>> = {
  fired: { transition: 'fired', body: { kind: 'CPU', value: 93.2, threshold: 80, minutes: 10 } },
  worse: { transition: 'worse', body: { kind: 'Memory', value: 96.4, threshold: 95, minutes: 5, severity: 'critical' } },
  reminder: { transition: 'reminder', body: { kind: 'CPU', value: 93.2, threshold: 80, minutes: 10, lastedMinutes: 60 } },
  resolved: { transition: 'resolved', body: { kind: 'Disk', target: '/srv', value: 71.5, threshold: 90, minutes: 10 } },
  down: { transition: 'fired', body: { kind: 'Status', reason: 'No answer', minutes: 1 } },
}

const systemNames = { en: 'Example system', de: 'Beispielsystem' } as const
/** URL of the hub page in example messages of a template preview. Its domain `example` never exists (RFC 2606). */
const LINK = 'https://vedette.example/system/example'
const HOUR_MS = 3_600_000

type ExampleMessage = { readonly state: ExampleState; readonly title: string; readonly text: string }

/**
 * Renders the example messages of {@link exampleStates} by the templates and time zone in `settings`. The alerts began an hour before
 * `nowMs` (epoch ms).
 */
export function exampleMessages(words: NoticeWords, settings: JsonObject, nowMs: number): readonly ExampleMessage[] {
  const textOf = templatedTexts(words, settings)
  return exampleStates.map((state) => {
    const { transition, body } = examples[state]
    const notice = { transition, body: { ...body, systemName: systemNames[words.language], beganMs: nowMs - HOUR_MS } }
    const { title, body: text } = textOf(notice, LINK)
    return { state, title, text }
  })
}
