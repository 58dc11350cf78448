import type { Severity } from './alert-policies.ts'
import { changeSettings } from './account.ts'
import { getJson } from './client.ts'
import { listOf, recordOf, textOf, type JsonRecord } from './json.ts'

/** Maximum number of notification rules of a user, 50; the hub refuses more. */
export const MOST_NOTIFICATION_RULES = 50

/**
 * Notification rule of a user: it selects the channels (email addresses, webhook URLs) for messages about alerts. It applies to systems
 * with `tag`, to alerts of `severity`, between `hours`; `undefined` = all. With no channel, nothing is sent.
 */
export type NotificationRule = {
  readonly tag: string | undefined
  readonly severity: Severity | undefined
  /**
   * Times of day from and to which the notification rule applies, such as `22:00`. They are in the time zone of the user's quiet hours;
   * `undefined`: the rule always applies.
   */
  readonly hours: { readonly from: string; readonly to: string } | undefined
  readonly channels: readonly string[]
}

/**
 * Item of the setting `notificationRules`: the JSON value that the hub stores, and the rule in it. `rule` is `undefined` for a value that
 * this dashboard cannot read, such as one of a newer hub.
 */
export type StoredRule = {
  /**
   * Text that identifies the notification rule in the user's list of rules, such as a React key. It stays the same when the rule is moved.
   */
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
 * Function that takes the stored notification rules and returns the changed list as JSON values for the hub. Returns `undefined` if the
 * rule to change is not in the list any more.
 */
export type RulesChange = (rules: readonly StoredRule[]) => readonly unknown[] | undefined

const storedOf = (rules: readonly StoredRule[]): readonly unknown[] => rules.map(({ stored }) => stored)

const indexOf = (rules: readonly StoredRule[], key: string): number | undefined => {
  const index = rules.findIndex((one) => one.key === key)
  return index === -1 ? undefined : index
}

/** Returns a function that adds a notification rule at the end of the list of rules, for `changeNotificationRules`. */
export const withRuleAdded =
  (rule: NotificationRule): RulesChange =>
  (rules) => [...storedOf(rules), storedForm(rule)]

/** Returns a function that replaces the notification rule with the key `key` in the list of rules, for `changeNotificationRules`. */
export const withRuleReplaced =
  (key: string, rule: NotificationRule): RulesChange =>
  (rules) => {
    const index = indexOf(rules, key)
    return index === undefined ? undefined : storedOf(rules).with(index, storedForm(rule))
  }

/** Returns a function that deletes the notification rule with the key `key` from the list of rules, for `changeNotificationRules`. */
export const withoutRule =
  (key: string): RulesChange =>
  (rules) => {
    const index = indexOf(rules, key)
    return index === undefined ? undefined : storedOf(rules).toSpliced(index, 1)
  }

/**
 * Returns a function that moves the notification rule with the key `key` one place up (-1) or down (1) in the list of rules. At the end of
 * the list it stays.
 */
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
 * Takes the user's settings and a change of the rules. Returns an object with the new setting `notificationRules` (null removes it when no
 * rule is left). `undefined` if the setting is not a list, or the rule to change is not in it.
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
