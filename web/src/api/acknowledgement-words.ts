import type { Formats } from '../format/formats.ts'
import { formatTime, withYears } from '../format/time.ts'
import * as words from '../words/messages.js'
import type { Acknowledgement } from './incidents.ts'

/**
 * Maximum length in characters, 500, of the note of an acknowledgement. The form's field accepts no more, and the hub refuses a longer one.
 */
export const LONGEST_NOTE = 500

/**
 * Text, ` (by link)`, that the hub adds to a name that a person typed on the page of an acknowledge link. Nobody has verified such a name;
 * the dashboard shows a translated note instead.
 */
const BY_LINK = ' (by link)'

/**
 * Returns translated text that says who acknowledged or snoozed an alert, such as "Acknowledged by Ada", followed by the note if there is
 * one. For a snooze it has the end time.
 */
export function acknowledgedWords({ by, note, snoozedUntilMs }: Acknowledgement, formats: Formats): string {
  const name = by.endsWith(BY_LINK)
    ? words.acknowledged_link_name({ name: by.slice(0, -BY_LINK.length) })
    : by || words.incident_other_person()
  const text =
    snoozedUntilMs === undefined
      ? words.acknowledged_by({ name })
      : words.snoozed_by({ name, time: formatTime(snoozedUntilMs, 'dayAndTime', withYears(formats)) })
  return note === '' ? text : `${text}: ${note}`
}

const delays = ['never', '60', '240', '1440'] as const
/**
 * Choice in the acknowledge dialog: minutes until reminders of the acknowledged alert begin again, as text (`60`, `240` or `1440`). `never`
 * means no more reminders.
 */
export type SnoozeDelay = (typeof delays)[number]

/**
 * Returns the options of the snooze field in the acknowledge dialog, as a list of value (such as `60` minutes, or `never`) and translated
 * label.
 */
export function snoozeChoices(): readonly { readonly value: SnoozeDelay; readonly label: string }[] {
  const afterHours = (count: number) => words.acknowledge_after_hours({ count })
  return delays.map((value) => ({ value, label: value === 'never' ? words.acknowledge_never() : afterHours(Number(value) / 60) }))
}

/**
 * Converts the choice of a snooze field, such as `'60'`, to a number of minutes for the API. Returns `undefined` for `never`: an
 * acknowledgement without snooze.
 */
export const snoozeMinutesOf = (delay: SnoozeDelay): number | undefined => (delay === 'never' ? undefined : Number(delay))
