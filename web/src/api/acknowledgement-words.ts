import type { Formats } from '../format/formats.ts'
import { formatTime, withYears } from '../format/time.ts'
import * as words from '../words/messages.js'
import type { Acknowledgement } from './incidents.ts'

/** Maximum length of a note in characters: 500, as the hub allows. */
export const LONGEST_NOTE = 500

/** Text at the end of a name that a user of a link in a message typed. The hub adds it; nobody has verified such a name. */
const BY_LINK = ' (by link)'

/** Returns who acknowledged or snoozed an alert, as translated text with the note. */
export function acknowledgedWords({ by, note, snoozedUntilMs }: Acknowledgement, formats: Formats): string {
  const name = by.endsWith(BY_LINK) ? words.acknowledged_link_name({ name: by.slice(0, -BY_LINK.length) }) : by
  const text =
    snoozedUntilMs === undefined
      ? words.acknowledged_by({ name })
      : words.snoozed_by({ name, time: formatTime(snoozedUntilMs, 'dayAndTime', withYears(formats)) })
  return note === '' ? text : `${text}: ${note}`
}

const delays = ['never', '60', '240', '1440'] as const
/** When reminders follow an acknowledgement: `never`, or after this number of minutes. */
export type SnoozeDelay = (typeof delays)[number]

/** Returns the delays that a user can choose, with translated labels. */
export function snoozeChoices(): readonly { readonly value: SnoozeDelay; readonly label: string }[] {
  const afterHours = (count: number) => words.acknowledge_after_hours({ count })
  return delays.map((value) => ({ value, label: value === 'never' ? words.acknowledge_never() : afterHours(Number(value) / 60) }))
}

/** Returns the minutes of a delay; `undefined` for `never`. */
export const snoozeMinutesOf = (delay: SnoozeDelay): number | undefined => (delay === 'never' ? undefined : Number(delay))
