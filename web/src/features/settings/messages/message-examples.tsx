import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageExamplesQuery, type ExampleState, type MessageTemplates } from '../../../api/message-templates.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import * as words from '../../../words/messages.js'

const stateNames: Readonly<Record<ExampleState, () => string>> = {
  fired: words.message_example_fired,
  worse: words.message_example_worse,
  reminder: words.message_example_reminder,
  resolved: words.message_example_resolved,
  down: words.message_example_down,
}

/** Delay in ms, 400, from the last keystroke in a template until the hub renders the preview. */
const REST_MS = 400

type MessageExamplesProps = {
  templates: MessageTemplates
  /** False while a template is invalid, such as with an unknown placeholder; the last preview then stays. */
  isValid: boolean
  language: 'en' | 'de'
}

/**
 * React component: preview of message templates. It shows, as the hub renders them, one example message for each alert state, such as fired
 * and resolved. The hub is queried 400 ms after the last change.
 */
export function MessageExamples({ templates: { title, text }, isValid, language }: MessageExamplesProps) {
  const [rested, setRested] = useState({ title, text })
  useEffect(() => {
    if (!isValid) return undefined
    const timer = setTimeout(() => setRested({ title, text }), REST_MS)
    return () => clearTimeout(timer)
  }, [title, text, isValid])
  const query = useQuery(messageExamplesQuery(rested, language))
  return (
    <section aria-labelledby="message-examples" className="flex min-w-0 flex-col gap-1">
      <h3 id="message-examples" className="text-note font-medium">
        {words.message_examples()}
      </h3>
      <p className="text-small text-muted">{words.message_examples_about()}</p>
      <Awaited query={query} placeholder="h-80">
        {(examples) => (
          <ul lang={language} className="divide-y divide-border rounded-control border border-border bg-sunken px-3">
            {examples.map((example) => (
              <li key={example.state} className="py-2 wrap-anywhere">
                <p lang={document.documentElement.lang} className="text-small text-muted">
                  {stateNames[example.state]()}
                </p>
                <p className="font-medium">{example.title}</p>
                <p className="whitespace-pre-line">{example.text}</p>
              </li>
            ))}
          </ul>
        )}
      </Awaited>
    </section>
  )
}
