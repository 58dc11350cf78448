import type { ChannelMessage } from '../../../delivery/channels/channel.ts'
import type { NoticeBody, Transition } from '../notice.ts'

/** Title and body of a message, or of a part of it. */
export type TitleAndBody = Pick<ChannelMessage, 'title' | 'body'>

/** Notification to render: the change of the alert (such as `fired`) and the stored data for the text. */
export type TransitionNotice = { readonly transition: Transition; readonly body: NoticeBody }

/** Set of functions and texts that render notifications in one language. All languages choose texts and severities by the same rules. */
export type NoticeWords = {
  readonly language: 'en' | 'de'
  /**
   * Returns title and body of a message about one "fired", `worse` or "resolved" notification. For reminders and escalations, they are
   * marked by the other functions.
   */
  readonly notice: (notice: TransitionNotice) => TitleAndBody
  /** Returns the text of an alert, marked as a reminder. `lastedMinutes`: for how long the alert has fired; `undefined` if unknown. */
  readonly reminder: (text: TitleAndBody, lastedMinutes: number | undefined) => TitleAndBody
  /**
   * Returns the text of an alert, marked as escalated after `minutes` in which nobody acknowledged it. `ownerName`: the alert's owner, who
   * was informed first; `undefined` if the owner is the recipient.
   */
  readonly escalation: (text: TitleAndBody, minutes: number, ownerName: string | undefined) => TitleAndBody
  /**
   * Returns the text of an alert, marked with the fact that its escalation reached nobody at its last step. `minutes`: time in which nobody
   * acknowledged it.
   */
  readonly unreached: (text: TitleAndBody, minutes: number) => TitleAndBody
  /**
   * Returns title and first line of a message about `count` containers or services of one system. `first`: one of the notifications, which
   * have equal changes.
   */
  readonly conditions: (count: number, first: TransitionNotice) => TitleAndBody
  /** Returns title and first line of a message about `count` systems that came back (`isUp`) or went down. */
  readonly systems: (count: number, isUp: boolean) => TitleAndBody
  /** Returns the title of a message about several alerts: their number, and the name of their only system or the number of systems. */
  readonly alerts: (count: number, systems: string | number) => string
  /** Returns the last line of a shortened list in a message, for the `count` of notifications that the list leaves out. */
  readonly more: (count: number) => string
  /** Title and body of the test message for a channel. */
  readonly test: TitleAndBody
  /** Returns the message that another channel fails. `kind`: display name of the channel's kind, such as `Discord`; `reason`: the error. */
  readonly channelFailure: (kind: string, reason: string) => TitleAndBody
  /** Title of the message that another channel fails, for when the display name of that channel's kind is unknown. */
  readonly otherChannelFailure: string
}
