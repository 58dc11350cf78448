import type { Json } from '@vedette/protocol/wire/stats-json'
import { isJsonObject } from '../../platform/json.ts'
import { templateProblem } from './message-template.ts'

/**
 * Maximum value of the user setting `groupMinutes` (minutes in which notifications are collected for one message): 60. A larger value is
 * rejected.
 */
const MOST_MINUTES = 60

/** Templates of a user for messages about one alert. Where one is absent, the standard text is used. */
export type MessageTemplates = { readonly title?: string; readonly text?: string }

function settingOf(settings: Json | undefined, name: 'groupMinutes' | 'messageTemplates'): Json | undefined {
  if (!isJsonObject(settings)) return undefined
  return settings[name] ?? undefined
}

/**
 * Returns the minutes of the grouping window (1 to 60) from a user's settings, `groupMinutes`. `undefined` for 0 and any other value: each
 * notification is sent at once.
 */
export function groupMinutes(settings: Json | undefined): number | undefined {
  const minutes = settingOf(settings, 'groupMinutes')
  return typeof minutes === 'number' && isWindow(minutes) && minutes > 0 ? minutes : undefined
}

const isWindow = (minutes: number): boolean => Number.isInteger(minutes) && minutes >= 0 && minutes <= MOST_MINUTES

/** Returns the templates in a user's settings, `messageTemplates`. `undefined` if neither `title` nor `text` is a text. */
export function messageTemplates(settings: Json | undefined): MessageTemplates | undefined {
  const stored = settingOf(settings, 'messageTemplates')
  if (!isJsonObject(stored)) return undefined
  const { title, text } = stored
  const templates = { ...(typeof title === 'string' ? { title } : {}), ...(typeof text === 'string' ? { text } : {}) }
  return Object.keys(templates).length === 0 ? undefined : templates
}

/**
 * Returns why `groupMinutes` or `messageTemplates` in a user's new `settings` are invalid, in English. `undefined` if they are valid,
 * absent, or equal to those in the old settings `before`.
 */
export function messageSettingsProblem(settings: Json, before?: Json): string | undefined {
  const minutes = settingOf(settings, 'groupMinutes')
  const isChanged = minutes !== undefined && !isEqual(minutes, settingOf(before, 'groupMinutes'))
  if (isChanged && !(typeof minutes === 'number' && isWindow(minutes)))
    return `"groupMinutes" is wrong: Must be a whole number from 0 to ${MOST_MINUTES}.`
  return templatesProblem(settingOf(settings, 'messageTemplates'), settingOf(before, 'messageTemplates'))
}

function templatesProblem(stored: Json | undefined, before: Json | undefined): string | undefined {
  if (stored === undefined || isEqual(stored, before)) return undefined
  if (!isJsonObject(stored)) return '"messageTemplates" is wrong: Must be an object.'
  const known = new Map(isJsonObject(before) ? Object.entries(before) : [])
  for (const [name, value] of Object.entries(stored)) {
    const problem = isEqual(value, known.get(name)) ? undefined : partProblem(name, value)
    if (problem !== undefined) return `"messageTemplates.${name.slice(0, 40)}" is wrong: ${problem}`
  }
  return undefined
}

function partProblem(name: string, value: Json): string | undefined {
  if (name !== 'title' && name !== 'text') return 'Must be absent: templates are "title" and "text".'
  return typeof value === 'string' ? templateProblem(name, value) : 'Must be a text.'
}

const isEqual = (one: Json, other: Json | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)
