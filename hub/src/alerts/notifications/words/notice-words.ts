import type { ChannelMessage } from '../../../delivery/channels/channel.ts'
import type { NoticeBody, Transition } from '../notice.ts'

/** Title and body of a notification message; for a message about several alerts, its title and the first line of its body. */
export type TitleAndBody = Pick<ChannelMessage, 'title' | 'body'>

/**
 * Notification whose text is to be rendered. `transition` is the change of the alert, such as `fired`; `body` has the stored data for the
 * text, such as the system.
 */
export type TransitionNotice = { readonly transition: Transition; readonly body: NoticeBody }

/** Set of functions and texts that render notifications in one language. All languages choose texts and severities by the same rules. */
export type NoticeWords = {
  readonly language: 'en' | 'de'
  /**
   * Function that returns title and body of the message about one "fired", `worse` or "resolved" notification. For a reminder or escalation
   * it gives the text of the "fired", to be marked as such.
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
   * Function that returns title and first line of one message about `count` containers or services of one system with equal changes, such
   * as all stopped. `first` is one of their notifications.
   */
  readonly conditions: (count: number, first: TransitionNotice) => TitleAndBody
  /** Function that returns title and first line of one message about `count` systems that came back (`isUp`) or went down together. */
  readonly systems: (count: number, isUp: boolean) => TitleAndBody
  /**
   * Function that returns the title of one message about several alerts. It has their number, and the name of their only system or the
   * number of systems.
   */
  readonly alerts: (count: number, systems: string | number) => string
  /**
   * Function that returns the last line of a message that lists only some notifications, such as the first 40. `count` is the number that
   * it leaves out.
   */
  readonly more: (count: number) => string
  /** Title and body of the message that a user sends to test a channel (email, Slack, …). */
  readonly test: TitleAndBody
  /** Returns the message that another channel fails. `kind`: display name of the channel's kind, such as `Discord`; `reason`: the error. */
  readonly channelFailure: (kind: string, reason: string) => TitleAndBody
  /** Title of the message that another channel fails, for when the display name of that channel's kind is unknown. */
  readonly otherChannelFailure: string
}
