import { placeholders, type Placeholder } from '../../../api/message-templates.ts'
import * as words from '../../../words/messages.js'

const meanings: Readonly<Record<Placeholder, () => string>> = {
  system: words.message_placeholder_system,
  alert: words.message_placeholder_alert,
  state: words.message_placeholder_state,
  severity: words.message_placeholder_severity,
  value: words.message_placeholder_value,
  threshold: words.message_placeholder_threshold,
  minutes: words.message_placeholder_minutes,
  since: words.message_placeholder_since,
  target: words.message_placeholder_target,
  reason: words.message_placeholder_reason,
  link: words.message_placeholder_link,
  title: words.message_placeholder_title,
  text: words.message_placeholder_text,
}

/**
 * React component: list of buttons, one for each placeholder of message templates such as `{system}`, with its meaning. A press calls
 * `onInsert` with the placeholder's name without braces.
 */
export const PlaceholderList = ({ onInsert }: { onInsert: (name: Placeholder) => void }) => (
  <div className="flex flex-col gap-1">
    <p id="message-placeholders" className="text-note font-medium">
      {words.message_placeholders()}
    </p>
    <ul aria-labelledby="message-placeholders" className="flex flex-wrap gap-1">
      {placeholders.map((name) => {
        const label = words.message_placeholder_insert({ name: `{${name}}`, meaning: meanings[name]() })
        return (
          <li key={name}>
            <button
              type="button"
              aria-label={label}
              data-tooltip={meanings[name]()}
              onClick={() => onInsert(name)}
              className="inline-flex min-h-6 items-center rounded-full border border-border bg-surface px-2 font-mono text-small hover:bg-hover"
            >
              {`{${name}}`}
            </button>
          </li>
        )
      })}
    </ul>
  </div>
)
