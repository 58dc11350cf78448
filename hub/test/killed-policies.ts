/** Systems, people and values of the test in which a hub is killed while policies fire, remind and escalate. */

export const MINUTE_MS = 60_000
/** A full 2 hours, as stored history needs. */
export const START_MS = Date.UTC(2026, 0, 10)
export const OWNERS = 3
/** Systems whose CPU each owner's policy watches. */
export const SYSTEMS_OF_OWNER = 3
/** Systems whose disk fills up, each with stored history until its own time. */
export const FORECASTS = 12
export const REMIND_MINUTES = 5
/** Minutes of the steps of each owner's escalation: to a further own channel, and to another person. */
export const OWN_STEP = 4
export const PERSON_STEP = 8

export const cpuSystem = (index: number): string => `cpu${String(index).padStart(12, '0')}`
export const forecastSystem = (index: number): string => `dsk${String(index).padStart(12, '0')}`
export const CPU_SYSTEMS = OWNERS * SYSTEMS_OF_OWNER

/** The owner of a system with a forecast has no other alerts. */
export const ownerNames = [...Array.from({ length: OWNERS }, (_, index) => `owner${index}`), 'forecaster']
export const personOf = (owner: string): string => `second-of-${owner}`

/** Minute at which a hub evaluates the forecast of a system for the first time. */
export const forecastMinute = (index: number): number => index * 120 + 2

/** No time is that of a step or a reminder, which could come before or after a change in the same minute. */
const warnings = [3, 6, 12, 9, 7, 13, 11, 6, 9] as const
const criticals = [0, 7, 1, 9, 3, 12, 6, 11, 13] as const

/** Minutes of one period of a system: within the thresholds, then a warning, then critical. */
const periodOf = (index: number): { readonly within: number; readonly warning: number; readonly critical: number } => ({
  within: 2 + (index % 3),
  warning: warnings[index] ?? 3,
  critical: criticals[index] ?? 0,
})

/** Returns the busy percent of a system in a minute, from 0. */
export function busyPercent(index: number, minute: number): number {
  const { within, warning, critical } = periodOf(index)
  const at = minute % (within + warning + critical)
  if (at < within) return 10
  return at < within + warning ? 80 : 95
}

/** Firing period that the measured minutes must have caused: its minutes, and all its notifications. */
export type ExpectedIncident = { readonly system: string; readonly began: number; readonly transitions: readonly string[] }

const counted = (from: number, until: number): number => Math.max(0, Math.floor((until - 1 - from) / REMIND_MINUTES))

/** Returns the transitions of an incident that fires at a minute; `worse` and `ended` may not have happened until the minute `last`. */
function transitionsOf(began: number, worse: number, ended: number, last: number): readonly string[] {
  const [isWorse, isEnded] = [worse <= last && worse < ended, ended <= last]
  const until = isEnded ? ended : last + 1
  const reminders = isWorse ? counted(began, worse) + counted(worse, until) : counted(began, until)
  const steps = [OWN_STEP, PERSON_STEP]
  const first = steps.filter((minutes) => began + minutes < until && (!isWorse || began + minutes < worse))
  const second = isWorse ? steps.filter((minutes) => worse + minutes < until) : []
  const isInformed = [...first, ...second].includes(PERSON_STEP)
  const informed = first.includes(PERSON_STEP) ? `resolved-${PERSON_STEP}` : `resolved-worse-${PERSON_STEP}`
  return [
    'fired',
    ...(isWorse ? ['worse'] : []),
    ...(isEnded ? ['resolved', ...(isInformed ? [informed] : [])] : []),
    ...Array.from({ length: reminders }, (_, at) => `reminder-${at + 1}`),
    ...first.map((minutes) => `escalated-${minutes}`),
    ...second.map((minutes) => `escalated-worse-${minutes}`),
  ].toSorted()
}

/** Returns all incidents that the minutes up to and with `last` must have caused. */
export function expectedIncidents(last: number): readonly ExpectedIncident[] {
  const expected: ExpectedIncident[] = []
  for (let index = 0; index < CPU_SYSTEMS; index++) {
    const { within, warning, critical } = periodOf(index)
    const period = within + warning + critical
    for (let began = within; began <= last; began += period) {
      const worse = critical === 0 ? Number.POSITIVE_INFINITY : began + warning
      expected.push({ system: cpuSystem(index), began, transitions: transitionsOf(began, worse, began + warning + critical, last) })
    }
  }
  const never = Number.POSITIVE_INFINITY
  for (let index = 0; index < FORECASTS && forecastMinute(index) <= last; index++)
    expected.push({
      system: forecastSystem(index),
      began: forecastMinute(index),
      transitions: transitionsOf(forecastMinute(index), never, never, last),
    })
  return expected
}
