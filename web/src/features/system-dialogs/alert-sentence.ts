import type { AlertKind } from '../../api/alert-kinds.ts'
import { formatThreshold } from '../../format/threshold.ts'
import * as words from '../../words/messages.js'

/** What an alert asks for, as one would say it. */
export function alertSentence(
  { name, unit, subject, direction }: AlertKind,
  { value, minutes }: { value: number; minutes: number },
): string {
  if (name === 'Status') return minutes === 1 ? words.alert_when_down_at_once() : words.alert_when_down({ minutes })
  const level = formatThreshold(value, unit)
  const [over, atOnce] =
    direction === 'above' ? [words.alert_when_above, words.alert_when_above_now] : [words.alert_when_below, words.alert_when_below_now]
  return minutes === 1 ? atOnce({ subject: subject(), level }) : over({ subject: subject(), level, minutes })
}
