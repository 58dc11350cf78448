import type { NoticeBody, Transition } from '../notice.ts'

/** Time in hours, 72, from which a notification about a forecast gives days. */
const DAYS_FROM_HOURS = 72

/**
 * Renders the English title and body of a notification about a forecast, such as "Disk of web is expected to be full in 31 h". Other texts
 * say that the disk or memory is full already, or not expected to become full.
 */
export function forecastWords({ transition, body }: { readonly transition: Transition; readonly body: NoticeBody }) {
  const { systemName, kind, target = '', value, threshold, range, severity } = body
  const subject = `${kind === 'MemoryForecast' ? 'Memory' : `Disk${target === '' ? '' : ` ${target}`}`} of ${systemName}`
  const mark = transition === 'resolved' ? '\u2705' : severity === 'critical' ? '\u{1F534}' : '\u{1F7E0}'
  const limit = threshold === undefined ? '' : ` The threshold is ${hoursInWords(threshold)}.`
  if (value === undefined)
    return { title: `${subject} is not expected to be full soon ${mark}`, body: `${subject} stopped growing.${limit}` }
  if (value === 0) return { title: `${subject} is full ${mark}`, body: `${subject} is full.${limit}` }
  const sentence = `${subject} is expected to be full in ${hoursInWords(value)}`
  const [low, high] = range === undefined ? [] : [numberIn(range.low, value), numberIn(range.high, value)]
  const about = low === high ? '' : ` (${low} to ${high} ${unitOf(value)})`
  return { title: `${sentence} ${mark}`, body: `${sentence}${about}.${limit}` }
}

/** Returns true if texts give this number of hours in days: from 72 h. */
export const isInDays = (hours: number): boolean => hours >= DAYS_FROM_HOURS
const unitOf = (hours: number): string => (isInDays(hours) ? 'days' : 'h')
/**
 * Converts `value` (hours) to the unit in which a text gives `hours`: days from 72 h, else hours. Rounded to one decimal below 10, else to
 * none.
 */
export function numberIn(value: number, hours: number): number {
  const number = isInDays(hours) ? value / 24 : value
  return Number(number.toFixed(number < 9.95 ? 1 : 0))
}

/** Returns the English text for a number of hours in a message: `31 h` for 31, or `3.5 days` for 84. Days are used from 72 h. */
export const hoursInWords = (hours: number): string => `${numberIn(hours, hours)} ${unitOf(hours)}`
