import type { NotificationRule } from '../../../api/notification-rules.ts'
import { formatTimeOfDay } from '../../../format/time-of-day.ts'
import type { TimeFormats } from '../../../format/time.ts'
import * as words from '../../../words/messages.js'

/**
 * Returns the conditions of a notification rule as translated text, such as "env=prod, Critical, 22:00 – 06:00". For `undefined`, a rule
 * that this dashboard cannot read, it is a general text.
 */
export function ruleName(rule: NotificationRule | undefined, formats: TimeFormats): string {
  if (rule === undefined) return words.notify_rule_unknown()
  const { tag, severity, hours } = rule
  return [
    tag ?? words.policy_everything(),
    ...(severity === undefined ? [] : [severity === 'warning' ? words.severity_warning() : words.severity_critical()]),
    ...(hours === undefined
      ? []
      : [words.notify_rule_hours_text({ from: formatTimeOfDay(hours.from, formats), to: formatTimeOfDay(hours.to, formats) })]),
  ].join(', ')
}
