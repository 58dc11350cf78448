import { alertKind } from '../../api/alert-kinds.ts'
import { alertSentence } from '../../api/alert-sentence.ts'
import { recommendedAlerts } from '../../api/recommended-alerts.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'

/**
 * React component: list of the recommended alert rules. Each is a sentence, such as "When CPU usage is above 90 % on average over 15 min".
 */
export function RecommendedAlerts() {
  const formats = useFormats()
  return (
    <>
      <p className="text-note text-muted">{words.rules_recommended()}</p>
      <ul className="list-disc pl-5 text-note text-muted">
        {recommendedAlerts.map(({ name, ...wish }) => {
          const kind = alertKind(name)
          return (
            kind !== undefined && (
              <li key={name}>
                {kind.label()}: {alertSentence(kind, wish, formats)}
              </li>
            )
          )
        })}
      </ul>
    </>
  )
}
