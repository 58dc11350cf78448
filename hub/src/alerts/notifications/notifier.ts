import { type WebPushKey, type Verdict, acknowledgeLabel, linkLabel, type ChannelMessage } from '../../delivery/channels/channel.ts'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { atMost } from '../../platform/deadline.ts'
import { endGroupingWindow } from '../messages/grouping-window.ts'
import { groupMinutes } from '../messages/message-settings.ts'
import { startLoop, untilDue } from '../../platform/loop.ts'
import type { EventBus, RecordEvent } from '../../platform/events/event-bus.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { textOf, isAdmin, type StoredRecord } from '../../records/model/stored-record.ts'
import { viewableIds } from '../../records/engine/access.ts'
import { defaultSettings, type HubSettings, type Settings } from '../../settings/settings.ts'
import { FEWEST_ATTEMPTS, deliveryDelayMs, deliveryStore, type Ending, type TakenDelivery, type DeliveryJob } from './delivery-store.ts'
import { isEscalationChange } from './escalation/escalation-steps.ts'
import { NOTICES } from './notice.ts'
import { inOrder, noticeOutbox, parseNotice } from './notice-outbox.ts'
import { channelsOf, reminderMinutes } from './recipient.ts'
import { AddressError } from '../../delivery/channels/address.ts'
import { readChannel, InternalDestination, sendToChannel } from '../../delivery/channels/channels.ts'
import { renderEmail } from '../../delivery/mail/email.ts'
import { MailFailure, sendMessage } from '../../delivery/mail/send-message.ts'
import { signedValues } from '../../platform/secrets/signed-token.ts'
import { ACKNOWLEDGE_LINKS, LINK_LIFETIME_MS } from './acknowledge-link.ts'
import type { NoticeWords, TransitionNotice } from './words/notice-words.ts'
import type { TextOfAlert } from './words/templated-text.ts'
import { loadNoticeWords, loadUserWords, textOfDigest, textOfNotice } from './words/notice-text.ts'

/**
 * Background sender of notifications to users. After a crash, it may send a message again, with the same key, by which providers recognise
 * the repeat.
 */
export type Notifier = {
  /** Makes the notifier look for due notifications at once, instead of at its next poll after up to 5 s. */
  readonly wake: () => void
  /** Resolves when no check for due notifications is in progress and no message is being sent. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

type Parts = {
  readonly engine: Engine
  readonly settings: Pick<Settings, 'follow'>
  readonly bus: Pick<EventBus, 'subscribe'>
  readonly webPushKey: WebPushKey
  /** Base URL of this hub for links in notifications, from the operator's options. `undefined`: the URL in the settings is used. */
  readonly appUrl: string | undefined
  /** True when users who are not admins may send notifications to servers in internal networks. */
  readonly internalDestinations: boolean
  /** Function that resolves to true when a hub of a newer version shares the database. Absent when no other hub can. */
  readonly hasNewerHub?: (() => Promise<boolean>) | undefined
  readonly log: Log
}

/**
 * Maximum number of messages that this hub sends at the same time: 16. A server that does not respond occupies one of these places until
 * its timeout.
 */
const AT_ONCE = 16
/**
 * Time for which a process leases a queued message, in ms (2 min), longer than any attempt to send it. After a crash, another process may
 * send it when the lease ends.
 */
const LEASE_MS = 120_000
/**
 * Polling interval for due notifications, in ms (5 s). Events report only notifications that this process queued, not those of another one.
 */
const LOOK_EVERY_MS = 5000
/** Minimum time between two checks for due notifications, in ms (250), after the first one queued or postponed some. */
const AFTER_CHANGE_MS = 250
const DAY_MS = 86_400_000
/**
 * Time, in ms (10 min), after which this hub tries again a message that it left to newer hubs, because it cannot send it. Those hubs may be
 * gone by then.
 */
const LEFT_TO_NEWER_MS = 10 * 60_000

type GivenUp = { readonly reason: string; readonly ending: Ending }

export async function startNotifier(parts: Parts): Promise<Notifier> {
  const { engine, bus, log } = parts
  const { database, store: records, secrets, clock } = engine
  let settings = defaultSettings
  await parts.settings.follow((changed) => (settings = changed))
  const sendsMail = (): boolean => settings.smtp.enabled
  const deliveries = deliveryStore({ database, secrets, clock })
  const outbox = noticeOutbox({ engine, deliveries, sendsMail })
  const active = new Set<Promise<void>>()
  /**
   * Count of background tasks, such as sending a message, that have ended since the notifier's start. `settled` compares it to find out
   * whether a task ended meanwhile.
   */
  let ended = 0
  const underWay = new Set<string>()
  /**
   * Map of messages that this version cannot send and leaves to newer hubs. Key: delivery id; value: time of this hub's next try, in ms of
   * a monotonic clock.
   */
  const leftToNewerHubs = new Map<string, number>()
  function skipped(): readonly string[] {
    for (const [id, untilMs] of leftToNewerHubs) if (untilMs <= performance.now()) leftToNewerHubs.delete(id)
    return [...underWay, ...leftToNewerHubs.keys()]
  }

  const closing = new AbortController()

  async function work(): Promise<number> {
    const noticesMs = await outbox.nextDueMs()
    const isMore = isDue(noticesMs) && (await outbox.enqueueDue())
    const room = AT_ONCE - active.size
    const deliveriesMs = await nextDeliveryMs()
    if (isDue(deliveriesMs)) for (const taken of await deliveries.take(room, LEASE_MS, skipped())) send(taken)
    if (isMore) return 0
    const isUnchanged = !isDue(noticesMs) && !isDue(deliveriesMs)
    const next = isUnchanged ? [noticesMs, deliveriesMs] : [await outbox.nextDueMs(), await nextDeliveryMs()]
    const waitMs = Math.min(LOOK_EVERY_MS, ...next.map((dueMs) => untilDue(clock.now(), dueMs) ?? LOOK_EVERY_MS))
    // A notification from before the clock was set back counts as due again, also when it was just postponed.
    return isUnchanged ? waitMs : Math.max(waitMs, AFTER_CHANGE_MS)
  }

  /**
   * Resolves to the time when the next queued message is due, in epoch ms. `undefined` if none is queued or at least 16 background tasks
   * run; the end of each runs the notifier's loop again.
   */
  const nextDeliveryMs = async (): Promise<number | undefined> => (active.size < AT_ONCE ? deliveries.nextDueMs(skipped()) : undefined)

  const isDue = (dueMs: number | undefined): boolean => dueMs !== undefined && dueMs <= clock.now()

  function send(taken: TakenDelivery): void {
    underWay.add(taken.id)
    const attempt = tryOnce(taken).finally(() => underWay.delete(taken.id))
    // Any process may retry when the lease ends.
    track(attempt, (error) => log.error('notification not sent', { id: taken.id, kind: taken.kind, error }))
  }

  /**
   * Counts a background task, such as sending a message, as running until it ends; then the notifier's loop runs again. `onError` is called
   * with the error if the task rejects.
   */
  function track(task: Promise<void>, onError: (error: unknown) => void): void {
    const tracked = task.catch(onError).finally(() => {
      active.delete(tracked)
      ended += 1
      loop.wake()
    })
    active.add(tracked)
  }

  async function tryOnce(taken: TakenDelivery): Promise<void> {
    const { id, kind, attempts, owner } = taken
    const verdict = await deliver({ ...parts, settings, signal: closing.signal }, taken)
    if (verdict.outcome === 'delivered') return deliveries.end({ id, reason: '', ending: 'delivered' })
    if (!('reached' in verdict)) return endUnsendable(taken, verdict)
    if (isNoFailure(verdict, closing.signal) && taken.job !== undefined)
      return deliveries.postpone({ id, reason: '', dueMs: clock.now(), job: { ...taken.job, reached: verdict.reached } })
    const dueMs = clock.now() + deliveryDelayMs(attempts, verdict.outcome === 'later' ? verdict.afterMs : 0)
    const { reason, reached } = verdict
    log.warn('notification rejected by the channel', { id, kind, owner, attempts, reason, outcome: verdict.outcome })
    const isOver = dueMs >= taken.expiresMs && attempts >= FEWEST_ATTEMPTS
    if (verdict.outcome === 'later' && !isOver && taken.job !== undefined)
      return deliveries.postpone({ id, reason, dueMs, job: { ...taken.job, reached } })
    await giveUp(taken, { reason, ending: verdict.outcome === 'later' ? 'expired' : 'refused' })
  }

  /**
   * Handles a queued message that this version cannot send. If hubs of a newer version share the database, it is left to them for 10 min.
   * Otherwise it ends: `gone` as expired, `unreadable` as refused with a report to the user.
   */
  async function endUnsendable(taken: TakenDelivery, { outcome, reason }: Unsendable): Promise<void> {
    const { id, kind, owner, expiresMs } = taken
    if (expiresMs > clock.now() && (await parts.hasNewerHub?.())) {
      log.info('notification left to newer hubs', { id, kind, owner, reason })
      leftToNewerHubs.set(id, performance.now() + LEFT_TO_NEWER_MS)
      return deliveries.release(id)
    }
    if (outcome === 'gone') return deliveries.end({ id, reason, ending: 'expired' })
    log.warn('notification rejected by the channel', { id, kind, owner, reason, outcome })
    await giveUp(taken, { reason, ending: 'refused' })
  }

  /**
   * Marks a delivery as refused or expired. Reports this through the user's other channels, at most once per UTC day and failing channel.
   * Failed reports, and deliveries with damaged data, cause no report.
   */
  async function giveUp({ id, kind, channel, owner, job }: TakenDelivery, { reason, ending }: GivenUp): Promise<void> {
    await deliveries.end({ id, reason, ending })
    if (job === undefined || job.own !== undefined) return
    const own = (await loadNoticeWords(records, owner)).channelFailure(kind, reason)
    await database.write(async (unit) => {
      const all = await channelsOf({ records, unit, owner, sendsMail: sendsMail() })
      const message = `trouble-${channel.slice(0, 8)}-${Math.floor(clock.now() / DAY_MS)}`
      const target = JSON.stringify(job.target)
      const others = all.filter((other) => JSON.stringify(other.target) !== target)
      await deliveries.put(
        unit,
        others.map((other) => ({ ...other, message, owner, notices: [], own })),
      )
    })
  }

  /**
   * Starts the updates that a change of a user's settings requires, from the settings record before and after, and returns their promises.
   * They reschedule reminders and escalation steps, and end the grouping window.
   */
  function tasksAfter(record: StoredRecord, previous: StoredRecord | undefined): readonly Promise<void>[] {
    const owner = textOf(record, 'user')
    const [before, after] = [previous?.['settings'], record['settings']]
    return [
      ...(reminderMinutes(before) === reminderMinutes(after) ? [] : [outbox.reschedule(owner)]),
      ...(isEscalationChange(after, before) ? [outbox.rescheduleSteps(owner)] : []),
      ...(groupMinutes(before) === groupMinutes(after) ? [] : [endGroupingWindow(database, owner, clock.now())]),
    ]
  }

  const loop = startLoop({ work, retryMs: LOOK_EVERY_MS, onError: (error) => log.error('notifications not queued', { error }) })
  const listen = ({ collection, action, record, previous, hub }: RecordEvent): void => {
    // Each hub sends the notices of its own alerts, and at its next poll those of a hub that ended.
    if (hub !== undefined) return
    const failed = (error: unknown): void => log.error('deliveries not rescheduled', { collection, id: record.id, error })
    if (collection === NOTICES) loop.wake()
    // The settings contain the time zone of quiet hours.
    if (collection === 'quiet_hours' || collection === 'user_settings') track(outbox.recheck(textOf(record, 'user')), failed)
    if (collection === 'user_settings') for (const task of tasksAfter(record, previous)) track(task, failed)
    if (collection === 'users' && action === 'delete') track(deliveries.deleteOwner(record.id), failed)
  }
  const unsubscribe = bus.subscribe([NOTICES, 'quiet_hours', 'user_settings', 'users'], listen)
  return {
    wake: loop.wake,
    async settled() {
      let before: number
      do {
        before = ended
        await Promise.all(active)
        await loop.settled()
        // A task that ended meanwhile has started another check.
      } while (active.size > 0 || ended !== before)
    },
    async close() {
      unsubscribe()
      closing.abort()
      await Promise.all([loop[Symbol.asyncDispose](), atMost(STORE_OUTCOMES_MS, Promise.all(active))])
    },
  }
}

/**
 * Returns true for an attempt that was cancelled or not finished. The channel did not fail then, so the rest is sent at once by this or
 * another hub.
 */
const isNoFailure = (verdict: Verdict, closing: AbortSignal): boolean =>
  verdict.outcome === 'later' && (closing.aborted || verdict.isUnfinished === true)

/**
 * Time limit in ms (1 s) at shutdown for storing that sending was cancelled. Messages for which this is not stored are sent again after
 * their lease, up to 2 min later.
 */
const STORE_OUTCOMES_MS = 1000

/**
 * Reason why this version cannot send a message. `gone`: its notifications or its user were deleted, the user may not view their systems,
 * or its data cannot be read. `unreadable`: its channel address is wrong or unknown to this version.
 */
type Unsendable = { readonly outcome: 'gone' | 'unreadable'; readonly reason: string }

type Outcome = Verdict | Unsendable

type DeliveryParts = Omit<Parts, 'settings'> & { readonly settings: HubSettings; readonly signal: AbortSignal }

/**
 * Sends one queued message to its channel and resolves to the outcome: delivered, later (retry), refused, or {@link Unsendable}. Errors of
 * the channel do not reject.
 */
async function deliver(parts: DeliveryParts, { id, owner, notices, job }: TakenDelivery): Promise<Outcome> {
  if (job === undefined) return { outcome: 'gone', reason: 'its stored job is damaged' }
  const person = await parts.engine.store.load('users', owner)
  const message = person === undefined ? undefined : await messageOf(parts, { id, person, notices, own: job.own })
  if (person === undefined || message === undefined)
    return { outcome: 'gone', reason: 'its notifications or its recipient were deleted, or the recipient may not view the systems' }
  return job.target.way === 'mail'
    ? byMail(parts, job.target.to, message)
    : byAddress(parts, {
        address: job.target.address,
        message,
        reached: job.reached,
        mayAskInternal: parts.internalDestinations || isAdmin(person),
      })
}

type ToAddress = {
  readonly address: string
  readonly message: ChannelMessage
  readonly reached: readonly string[]
  readonly mayAskInternal: boolean
}

async function byAddress(
  { webPushKey, engine: { clock }, signal }: DeliveryParts,
  { address, message, ...sending }: ToAddress,
): Promise<Outcome> {
  try {
    return await sendToChannel(readChannel(address, webPushKey), message, { ...sending, nowMs: clock.now(), signal })
  } catch (error) {
    if (error instanceof AddressError) return { outcome: 'unreadable', reason: error.message }
    if (error instanceof InternalDestination) return { outcome: 'refused', reason: error.message, reached: sending.reached }
    throw error
  }
}

async function byMail({ settings: { smtp, meta }, signal }: DeliveryParts, to: string, message: ChannelMessage): Promise<Verdict> {
  if (!smtp.enabled) return { outcome: 'later', reason: 'the hub sends no mail', reached: [] }
  const { title, body, link, acknowledgeLink, key } = message
  const [lead = '', ...facts] = body.split('\n')
  const email = renderEmail(to, {
    subject: title,
    greeting: title,
    lead,
    facts,
    ...(link === undefined ? {} : { action: { label: linkLabel(message), url: link } }),
    ...(acknowledgeLink === undefined ? {} : { secondAction: { label: acknowledgeLabel(message), url: acknowledgeLink } }),
    notes: [],
    signature: meta.appName,
  })
  try {
    const sender = { name: meta.senderName, address: meta.senderAddress }
    await sendMessage({ smtp, sender, message: email, messageId: `<${key}@${sender.address.split('@').at(-1)}>`, signal })
    return { outcome: 'delivered', reached: [] }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { outcome: error.isFinal ? 'refused' : 'later', reason: error.reason, reached: [] }
  }
}

type MessageParts = {
  readonly id: string
  readonly person: StoredRecord
  readonly notices: readonly string[]
  readonly own: DeliveryJob['own']
}

/**
 * Renders the message of a queued delivery: its own text, or one from those of its notifications whose systems the person may view now.
 * `undefined` if there is none, because they were deleted, are damaged, or the access has ended.
 */
async function messageOf(
  { engine, settings, appUrl }: DeliveryParts,
  { id, person, notices, own }: MessageParts,
): Promise<ChannelMessage | undefined> {
  const root = (appUrl ?? settings.meta.appURL).replace(/\/+$/, '')
  const { words, settings: preferences } = await loadUserWords(engine.store, person.id)
  const { language } = words
  if (own !== undefined) return { key: id, ...own, link: `${root}/settings`, severity: 'info', systemName: '', language }
  // PostgreSQL accepts no empty `in` list.
  if (notices.length === 0) return undefined
  const rows = await engine.database.kysely
    .selectFrom('notices')
    .selectAll()
    .where('id', 'in', [...notices])
    .execute()
  const viewable = await viewableIds(engine, { actor: person, collection: 'systems', ids: rows.map(({ system }) => system) })
  const reported = inOrder(rows)
    .filter(({ system }) => viewable.has(system))
    .flatMap((row) => {
      const notice = parseNotice(row)
      return notice === undefined ? [] : [{ ...notice, incident: row.incident, atMs: row.at }]
    })
  const [first] = reported
  if (first === undefined) return undefined
  const linkOf = (system: string): string => `${root}/system/${encodeURIComponent(system)}`
  const textOf = await textsOfAlerts(words, preferences)
  const incidents = reported.map((notice) => ({ id: notice.incident, ...textOf(notice, linkOf(notice.system)) }))
  const link = reported.every(({ system }) => system === first.system) ? linkOf(first.system) : `${root}/`
  const isOfOne = reported.length === 1
  const text = isOfOne ? textOf(first, link) : textOfDigest(reported, words)
  const token = isOfOne ? acknowledgeToken(engine, person.id, first) : undefined
  const acknowledgeLink = token === undefined ? {} : { acknowledgeLink: `${root}/acknowledge#${token}` }
  return { key: id, ...text, link, language, incidents, ...acknowledgeLink }
}

/**
 * Resolves to the function that renders the message about one alert. It uses the user's templates (setting `messageTemplates`) if there are
 * any, else the standard text.
 */
async function textsOfAlerts(words: NoticeWords, preferences: JsonObject): Promise<TextOfAlert> {
  if (preferences['messageTemplates'] === undefined) return (notice) => textOfNotice(notice, words)
  // Loaded on first use: most users have no templates.
  const { templatedTexts } = await import('./words/templated-text.ts')
  return templatedTexts(words, preferences)
}

type ReportedNotice = TransitionNotice & { readonly incident: string; readonly atMs: number }

/**
 * Signs the token for the link in a message that acknowledges the alert. `undefined` for a "resolved" and for a notification about a drive,
 * which nobody can acknowledge.
 */
function acknowledgeToken({ secrets }: Engine, owner: string, { transition, body, incident, atMs }: ReportedNotice): string | undefined {
  if (transition === 'resolved' || body.kind === 'Drive') return undefined
  return signedValues(secrets, ACKNOWLEDGE_LINKS).sign([incident, owner], atMs + LINK_LIFETIME_MS)
}
