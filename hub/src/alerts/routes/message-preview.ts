import { z } from 'zod'
import { defineRoute } from '../../http/routing/define-route.ts'
import { texts } from '../../http/routing/field-schemas.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { templateProblem } from '../messages/message-template.ts'
import { loadUserWords, noticeWordsIn } from '../notifications/words/notice-text.ts'
import { exampleMessages, exampleStates } from './message-examples.ts'

/**
 * Returns the schema of the template of a title or text in a request. It rejects templates by the rules of {@link templateProblem}. `''`,
 * also for an absent one, means the standard text.
 */
const template = (part: 'title' | 'text') =>
  z
    .string('Must be a text.')
    .default('')
    .superRefine((value, context) => {
      const message = templateProblem(part, value)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })

export const previewMessages = defineRoute('POST /api/vedette/message-preview', {
  tag: 'alerts',
  summary: 'Example messages about alerts of an example system, by the templates of the request, in the language `en` or `de`',
  access: 'signed in',
  body: texts(z.object({ title: template('title'), text: template('text'), language: z.enum(['en', 'de']).default('en') })),
  invalid: 'Failed to preview the messages.',
  response: z.object({ examples: z.array(z.object({ state: z.enum(exampleStates), title: z.string(), text: z.string() })) }),
  async handle({ actor, body }, { engine: { store, clock } }: { readonly engine: Pick<Engine, 'store' | 'clock'> }) {
    const { title, text, language } = await body()
    const { settings } = await loadUserWords(store, actor.id)
    const words = await noticeWordsIn(language)
    return { examples: exampleMessages(words, { ...settings, messageTemplates: { title, text } }, clock.now()) }
  },
})
