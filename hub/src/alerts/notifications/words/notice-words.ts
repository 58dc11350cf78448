import type { ChannelMessage } from '../../../delivery/channels/channel.ts'
import type { NoticeBody, Transition } from '../notice.ts'

/** Title and body of a message, or of a part of it. */
export type TitleAndBody = Pick<ChannelMessage, 'title' | 'body'>

/** Notification to render: the change of the alert (such as `fired`) and the stored data for the text. */
export type TransitionNotice = { readonly transition: Transition; readonly body: NoticeBody }

/** Set of functions and texts that render notifications in one language. All languages choose texts and severities by the same rules. */
export type NoticeWords = {
  readonly language: 'en' | 'de'
  /** Text of one "fired", `worse` or "resolved" notification. Reminders and escalations repeat it with a mark. */
  readonly notice: (notice: TransitionNotice) => TitleAndBody
  /** Marks the text of an alert as a reminder. `lastedMinutes`: for how long the alert has fired; `undefined` if unknown. */
  readonly reminder: (text: TitleAndBody, lastedMinutes: number | undefined) => TitleAndBody
  /**
   * Marks the text of an alert as escalated, after minutes in which nobody acknowledged it. `ownerName`: the alert's owner, who was
   * informed first; `undefined` if the owner is the recipient.
   */
  readonly escalation: (text: TitleAndBody, minutes: number, ownerName: string | undefined) => TitleAndBody
  /** Marks the text of an alert whose escalation reached nobody at its last step, after minutes in which nobody acknowledged it. */
  readonly unreached: (text: TitleAndBody, minutes: number) => TitleAndBody
  /** Title and first line of a message about several containers or services of one system. */
  readonly conditions: (count: number, first: TransitionNotice) => TitleAndBody
  /** Title and first line of a message about several systems that went down, or came back. */
  readonly systems: (count: number, isUp: boolean) => TitleAndBody
  /** Title of a message about other alerts: their number, and the name of their system or the number of systems. */
  readonly alerts: (count: number, systems: string | number) => string
  /** Last line of a list, with the number of notifications that it leaves out. */
  readonly more: (count: number) => string
  /** Test message for a channel. */
  readonly test: TitleAndBody
  /** Message that another channel fails: the display name of its kind, such as `Discord`, and the reason. */
  readonly channelFailure: (kind: string, reason: string) => TitleAndBody
  /** Title of the message that another channel fails, for when the display name of that channel's kind is unknown. */
  readonly otherChannelFailure: string
}
