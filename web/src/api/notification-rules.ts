import type { Severity } from './alert-policies.ts'
import { changeSettings } from './account.ts'
import { getJson } from './client.ts'
import { listOf, recordOf, textOf, type JsonRecord } from './json.ts'

/** Maximum number of notification rules of a user, 50; the hub refuses more. */
export const MOST_NOTIFICATION_RULES = 50

/**
 * Notification rule of a user: the channels (addresses in the settings) of messages about alerts. It applies to systems with `tag`, to
 * alerts of `severity`, and from `from` to `to`; `undefined` = all. No channel: nothing is sent.
 */
export type NotificationRule = {
  readonly tag: string | undefined
  readonly severity: Severity | undefined
  /** Times of day such as `22:00`, in the time zone of the quiet hours. */
  readonly hours: { readonly from: string; readonly to: string } | undefined
  readonly channels: readonly string[]
}

/**
 * Item of the setting `notificationRules`: the JSON value that the hub stores, and the rule in it. `rule` is `undefined` for a value that
 * this dashboard cannot read, such as one of a newer hub.
 */
export type StoredRule = {
  /** Text that identifies the item in the list. It stays the same when the item is moved. */
  readonly key: string
  readonly stored: unknown
  readonly rule: NotificationRule | undefined
}

const fields: ReadonlySet<string> = new Set(['tag', 'severity', 'from', 'to', 'channels'])
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/**
 * Reads the notification rules from a user's settings, in their order. `undefined` if the setting is not a list, so that no rule can be
 * changed without losing it.
 */
export function readNotificationRules({ notificationRules }: JsonRecord): readonly StoredRule[] | undefined {
  if (notificationRules === undefined || notificationRules === null) return []
  return Array.isArray(notificationRules) ? keyed(listOf(notificationRules)) : undefined
}

function keyed(items: readonly unknown[]): readonly StoredRule[] {
  const counts = new Map<string, number>()
  return items.map((stored) => {
    const text = JSON.stringify(stored)
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return { key: `${count} ${text}`, stored, rule: readRule(stored) }
  })
}

function readRule(stored: unknown): NotificationRule | undefined {
  const record = recordOf(stored)
  const { tag, severity, from, to, channels } = record
  const hours = readHours(from, to)
  if (hours === 'unknown' || Object.keys(record).some((name) => !fields.has(name))) return undefined
  if (!Array.isArray(channels) || !channels.every((one) => typeof one === 'string')) return undefined
  if (tag !== undefined && textOf(tag) === undefined) return undefined
  if (severity !== undefined && severity !== 'warning' && severity !== 'critical') return undefined
  return { tag: textOf(tag), severity, hours, channels }
}

function readHours(from: unknown, to: unknown): NotificationRule['hours'] | 'unknown' {
  if (from === undefined && to === undefined) return undefined
  return isTimeOfDay(from) && isTimeOfDay(to) ? { from, to } : 'unknown'
}

const isTimeOfDay = (value: unknown): value is string => typeof value === 'string' && timeOfDay.test(value)

const storedForm = ({ tag, severity, hours, channels }: NotificationRule): JsonRecord => ({
  ...(tag === undefined ? {} : { tag }),
  ...(severity === undefined ? {} : { severity }),
  ...hours,
  channels,
})

/**
 * Change of the list of notification rules. It returns the JSON values of the changed list, or `undefined` if the rule to change is not in
 * the list any more.
 */
export type RulesChange = (rules: readonly StoredRule[]) => readonly unknown[] | undefined

const storedOf = (rules: readonly StoredRule[]): readonly unknown[] => rules.map(({ stored }) => stored)

const indexOf = (rules: readonly StoredRule[], key: string): number | undefined => {
  const index = rules.findIndex((one) => one.key === key)
  return index === -1 ? undefined : index
}

/** Returns the change that adds a notification rule at the end of the list. */
export const withRuleAdded =
  (rule: NotificationRule): RulesChange =>
  (rules) => [...storedOf(rules), storedForm(rule)]

/** Returns the change that replaces the notification rule with the key `key`. */
export const withRuleReplaced =
  (key: string, rule: NotificationRule): RulesChange =>
  (rules) => {
    const index = indexOf(rules, key)
    return index === undefined ? undefined : storedOf(rules).with(index, storedForm(rule))
  }

/** Returns the change that deletes the notification rule with the key `key`. */
export const withoutRule =
  (key: string): RulesChange =>
  (rules) => {
    const index = indexOf(rules, key)
    return index === undefined ? undefined : storedOf(rules).toSpliced(index, 1)
  }

/** Returns the change that moves the notification rule with the key `key` one place up (-1) or down (1), if there is such a place. */
export const withRuleMoved =
  (key: string, by: -1 | 1): RulesChange =>
  (rules) => {
    const index = indexOf(rules, key)
    if (index === undefined) return undefined
    const stored = storedOf(rules)
    const place = index + by
    if (place < 0 || place >= stored.length) return stored
    return stored.toSpliced(index, 1).toSpliced(place, 0, stored[index])
  }

/**
 * Returns an object with the setting `notificationRules` after a change; null, which removes the setting, if no rule is left. `undefined`
 * if the setting is not a list, or if the rule to change is not in it.
 */
export function withRules(
  settings: JsonRecord,
  change: RulesChange,
): { readonly notificationRules: readonly unknown[] | null } | undefined {
  const rules = readNotificationRules(settings)
  const changed = rules === undefined ? undefined : change(rules)
  if (changed === undefined) return undefined
  // A null removes the setting.
  return { notificationRules: changed.length === 0 ? null : changed }
}

/**
 * Applies a change to the notification rules that the hub has now, which another page may have changed, and stores them. Resolves to the
 * user's settings, or to `undefined` if the rule to change is gone or the setting is not a list.
 */
export async function changeNotificationRules(change: RulesChange): Promise<JsonRecord | undefined> {
  const { settings } = recordOf(await getJson('/api/account/settings', undefined))
  const merge = withRules(recordOf(settings), change)
  return merge === undefined ? undefined : changeSettings({ merge })
}
