import { Select } from '../../ui/select.tsx'
import * as words from '../../words/messages.js'

const intervals = [0, 15, 30, 60, 240] as const

type ReminderChoiceProps = {
  /** Number of minutes between reminders of a firing alert, the field's value; 0 for no reminders. */
  minutes: number
  onChange: (minutes: number) => void
}

/**
 * React component: dropdown list of the notification settings with the interval between reminders of a firing alert. `onChange` gets the
 * selected number of minutes.
 */
export function ReminderChoice({ minutes, onChange }: ReminderChoiceProps) {
  const choices = intervals.some((one) => one === minutes) ? intervals : [...intervals, minutes]
  return (
    <Select
      label={words.reminders()}
      hint={words.reminders_about()}
      choices={choices.map((one) => ({
        value: String(one),
        label: one === 0 ? words.reminders_none() : words.reminders_every({ minutes: one }),
      }))}
      value={String(minutes)}
      onChange={(value) => onChange(Number(value))}
    />
  )
}
