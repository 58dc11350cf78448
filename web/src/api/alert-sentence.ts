import type { AlertKind } from './alert-kinds.ts'
import type { NumberFormats } from '../format/formats.ts'
import { formatThreshold } from '../format/threshold.ts'
import * as words from '../words/messages.js'

/**
 * Returns the condition of an alert rule as a translated sentence: "When CPU usage is above 80 % on average over 10 min". `value` is the
 * threshold in the unit of the alert kind; a kind without a threshold ignores it.
 */
export function alertSentence(
  { unit, subject, direction, sentence, isForecast }: AlertKind,
  { value, minutes }: { value: number; minutes: number },
  formats: NumberFormats,
): string {
  if (sentence !== undefined) return sentence(minutes)
  const level = formatThreshold(value, unit, formats)
  const [over, atOnce] =
    direction === 'above' ? [words.alert_when_above, words.alert_when_above_now] : [words.alert_when_below, words.alert_when_below_now]
  return minutes === 1 || isForecast === true ? atOnce({ subject: subject(), level }) : over({ subject: subject(), level, minutes })
}
