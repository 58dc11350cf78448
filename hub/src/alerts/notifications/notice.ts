import { z } from 'zod'
import { ESCALATED } from '../incidents/incident-access.ts'
import { severities } from '../judging/judgement.ts'
import { GROUPED } from '../messages/grouping-window.ts'

/**
 * List of the changes that users are notified about. `fired` and `resolved` begin and end the firing period of an alert; `reminder` says
 * that it lasts. `worse`: a warning became critical, or a drive's health got worse. `escalated`: nobody acknowledged the alert;
 * `unreached`: the last step of its escalation reached nobody.
 */
export const noticeTransitions = ['fired', 'resolved', 'worse', 'reminder', 'escalated', 'unreached'] as const
export type Transition = (typeof noticeTransitions)[number]

/**
 * Schema of the data that is stored with a notification (as JSON). Its text is rendered from this data, in the user's language, when it is
 * sent.
 */
export const noticeBodySchema = z.object({
  /** Name of the system at the time when the alert changed, so that a later rename does not change the message. */
  systemName: z.string(),
  /** Name of the alert kind, such as `CPU`; `Drive` for a notification about a drive whose health got worse. */
  kind: z.string(),
  /** Name of the part of the system that the alert is about, such as a disk, sensor or drive. Absent for the whole system. */
  target: z.string().optional(),
  /**
   * Measured value with which the alert fired or resolved, in the unit of the alert kind. Absent for alerts without a threshold, and for a
   * forecast that a disk never gets full.
   */
  value: z.number().optional(),
  /** Ends of the uncertainty interval of a forecast, in hours. Absent for other alerts and open intervals. */
  range: z.object({ low: z.number(), high: z.number() }).optional(),
  threshold: z.number().optional(),
  /** Number of minutes in the alert's setting: over which the value was averaged, or for which the condition had to last. */
  minutes: z.number().optional(),
  /** Severity of the alert at this time. Absent for an alert whose rule sets no severity. */
  severity: z.enum(severities).optional(),
  /** Cause of the alert: why the system is down, the bad condition of a container or service, or the health that a drive reports. */
  reason: z.string().optional(),
  /** Time in epoch ms when the bad condition of the alert began; for a threshold alert, when it began to fire. */
  beganMs: z.number(),
  /** Number of minutes from `beganMs` to the reminder; absent in other notifications. */
  lastedMinutes: z.number().optional(),
  /** Number of minutes for which nobody acknowledged an escalated alert; absent in other notifications. */
  unansweredMinutes: z.number().optional(),
  /** Name of the owner of an alert that was escalated to another person; absent in other notifications. */
  ownerName: z.string().optional(),
  /**
   * Keys of the channels (email, Slack, …) that get the notification of an escalated alert: a keyed digest of each address. Absent: the
   * user's notification rules choose the channels.
   */
  channels: z.array(z.string()).optional(),
})
export type NoticeBody = z.infer<typeof noticeBodySchema>

/**
 * Stored notification for one user: an alert of the user changed (such as `fired`), or a drive's health got worse. `incident` is the id of
 * a firing period; for a drive, a unique text.
 */
export type Notice = {
  readonly id: string
  readonly incident: string
  readonly transition: Transition
  /** Id of the user who receives this notification. */
  readonly owner: string
  readonly system: string
  readonly atMs: number
  readonly body: NoticeBody
}

/** Notification to store. Its transition may have a suffix, such as the number in `reminder-2` or the minutes in `escalated-15`. */
export type NewNotice = Omit<Notice, 'id' | 'transition'> & { readonly transition: string }

/**
 * Name of the database table of notifications, `notices`. Each new row emits a change event of this collection, which makes the notifier
 * send due notifications.
 */
export const NOTICES = 'notices'

/**
 * States of a stored notification that is held back. `held`: by quiet hours. `silenced`: by an outage that explains it. `outlasting`: it
 * waits for the recovery after that outage.
 */
export const keptBackStates: readonly string[] = ['held', 'silenced', 'outlasting']

/**
 * List of the states of a stored notification that was not queued for delivery yet: `new`, `held`, `silenced`, `outlasting`, and waiting in
 * a grouping window.
 */
export const openStates: readonly string[] = ['new', ...keptBackStates, GROUPED]

/** Transition (text `worse`) of a notification that an alert's warning became critical, or that a drive's health got worse. */
export const WORSE = 'worse'

/**
 * Start of the transition text of a notification that an alert still fires: `reminder-`. A number follows, such as `reminder-2`, because an
 * incident has at most one notification for each transition.
 */
export const REMINDER = 'reminder-'

/** Start (`unreached`) of the transition text of a notification that the last step of an escalation reached nobody. */
export const UNREACHED = 'unreached'

/**
 * Start (`resolved-`) of the transition text of the "resolved" notification for a person to whom an alert was escalated. The rest
 * identifies the escalation step.
 */
export const RESOLVED_FOR = 'resolved-'

/**
 * List of the starts of the transition texts (`reminder-`, `escalated-`, `unreached`) of notifications that repeat an active alert's
 * "fired". They are dropped once it is acknowledged or ends.
 */
export const repeats: readonly string[] = [REMINDER, ESCALATED, UNREACHED]

/** Returns true for a notification that repeats the "fired" of an incident, such as a reminder. */
export const isRepeat = ({ transition }: { readonly transition: string }): boolean => repeats.some((start) => transition.startsWith(start))

/**
 * Returns true for a notification about an escalation (`escalated-…`), or that it reached nobody. It is sent at once, without waiting for
 * others in a grouping window.
 */
export const isUrgent = ({ transition }: { readonly transition: string }): boolean =>
  transition.startsWith(ESCALATED) || transition.startsWith(UNREACHED)
