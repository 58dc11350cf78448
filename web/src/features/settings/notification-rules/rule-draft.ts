import type { NotificationRule } from '../../../api/notification-rules.ts'
import { readSingleTag } from '../../../format/single-tag.ts'
import type { FieldErrors } from '../../../ui/form-errors.ts'
import * as words from '../../../words/messages.js'

/**
 * Form values of a notification rule: systems, severity, times of day and channels (addresses). Texts are as typed, so they may be invalid.
 */
export type RuleDraft = {
  readonly range: 'everything' | 'tag'
  /** Tag, as typed, of the systems to which the notification rule applies; used only while `range` is `tag`. */
  readonly tag: string
  readonly severity: 'every' | 'critical' | 'warning'
  /** Times of day at which the notification rule applies: `all`, or only (`some`) from the time `from` to `to`, such as `22:00`. */
  readonly hours: 'all' | 'some'
  readonly from: string
  readonly to: string
  readonly channels: readonly string[]
}

const night = { from: '22:00', to: '07:00' } as const

/** Returns the form values of a new notification rule: for all messages, with all of the given channels. */
export const newRuleDraft = (channels: readonly string[]): RuleDraft =>
  ruleDraftOf({ tag: undefined, severity: undefined, hours: undefined, channels })

/** Returns the form values for editing a notification rule that the user's settings contain. */
export const ruleDraftOf = ({ tag, severity, hours, channels }: NotificationRule): RuleDraft => ({
  range: tag === undefined ? 'everything' : 'tag',
  tag: tag ?? '',
  severity: severity ?? 'every',
  hours: hours === undefined ? 'all' : 'some',
  ...(hours ?? night),
  channels,
})

/**
 * Converts form values to a notification rule. Returns `{ rule }` or, when they are invalid, `{ errors }` with translated messages by field
 * name.
 */
export function readRuleDraft(draft: RuleDraft): { readonly rule: NotificationRule } | { readonly errors: FieldErrors } {
  const { range, severity, hours, from, to, channels } = draft
  const read = range === 'tag' ? readSingleTag(draft.tag) : { tag: undefined }
  const errors = {
    ...('error' in read ? { tag: read.error } : {}),
    ...(hours === 'some' && from === to ? { to: words.notify_rule_hours_equal() } : {}),
  }
  if ('error' in read || Object.keys(errors).length > 0) return { errors }
  return {
    rule: {
      tag: read.tag,
      severity: severity === 'every' ? undefined : severity,
      hours: hours === 'some' ? { from, to } : undefined,
      channels,
    },
  }
}
