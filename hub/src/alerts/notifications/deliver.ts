import { parseNoticeBody, transitions } from '../incidents/notice.ts'
import { AddressError } from '../../delivery/channels/address.ts'
import { linkLabel, type ChannelMessage } from '../../delivery/channels/channel-message.ts'
import type { HubSide, Verdict } from '../../delivery/channels/channel.ts'
import { readChannel } from '../../delivery/channels/channels.ts'
import { InternalDestination, tellChannel } from '../../delivery/channels/tell-channel.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { composeMessage } from '../../delivery/mail/letter.ts'
import { MailFailure, sendMessage } from '../../delivery/mail/send-message.ts'
import { isAdmin } from '../../records/model/actor.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DeliveryJob } from './delivery-job.ts'
import type { TakenDelivery } from './delivery-store.ts'
import { textOfDigest, textOfNotice } from './notice-text.ts'

export type DeliverParts = {
  readonly database: Database
  readonly records: Pick<RecordStore, 'load'>
  readonly settings: Pick<Settings, 'load'>
  readonly clock: Clock
  readonly hub: HubSide
  /** Base URL of this hub from the operator's options. Undefined: the URL in the settings applies. */
  readonly appUrl: string | undefined
  /** Whether people who are not admins may use addresses of internal networks. */
  readonly internalDestinations: boolean
}

/** `gone` means that the notification or its recipient no longer exists. */
export type Outcome = Verdict | { readonly outcome: 'gone'; readonly said: string }

/** Sends one message to its channel and returns the outcome. Failures of the channel are outcomes, not exceptions. */
export async function deliver(parts: DeliverParts, { id, owner, notices, job }: TakenDelivery): Promise<Outcome> {
  if (job === undefined) return { outcome: 'gone', said: 'it cannot be read' }
  const person = await parts.records.load('users', owner)
  const message = await messageOf(parts, { id, notices, own: job.own })
  if (person === undefined || message === undefined) return { outcome: 'gone', said: 'what it told of was deleted' }
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

async function byAddress({ hub, clock }: DeliverParts, { address, message, ...sending }: ToAddress): Promise<Verdict> {
  try {
    return await tellChannel(readChannel(address, hub), message, { ...sending, nowMs: clock.now() })
  } catch (error) {
    if (error instanceof AddressError || error instanceof InternalDestination)
      return { outcome: 'refused', said: error.message, reached: sending.reached }
    throw error
  }
}

async function byMail({ settings }: DeliverParts, to: string, message: ChannelMessage): Promise<Verdict> {
  const { smtp, meta } = await settings.load()
  if (!smtp.enabled) return { outcome: 'later', said: 'the hub sends no mail', reached: [] }
  const { title, body, link, key } = message
  const [lead = '', ...facts] = body.split('\n')
  const letter = composeMessage(to, {
    subject: title,
    greeting: title,
    lead,
    facts,
    ...(link === undefined ? {} : { action: { label: linkLabel(message), url: link } }),
    notes: [],
    signature: meta.appName,
  })
  try {
    const sender = { name: meta.senderName, address: meta.senderAddress }
    await sendMessage({ smtp, sender, message: letter, messageId: `<${key}@${sender.address.split('@').at(-1)}>` })
    return { outcome: 'delivered', reached: [] }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { outcome: error.isFinal ? 'refused' : 'later', said: error.reason, reached: [] }
  }
}

type MessageParts = { readonly id: string; readonly notices: readonly string[]; readonly own: DeliveryJob['own'] }

/** Renders the message; undefined if all its notifications were deleted or are damaged. */
async function messageOf(
  { database, settings, appUrl }: DeliverParts,
  { id, notices, own }: MessageParts,
): Promise<ChannelMessage | undefined> {
  const root = (appUrl ?? (await settings.load()).meta.appURL).replace(/\/+$/, '')
  if (own !== undefined) return { key: id, ...own, link: `${root}/settings`, severity: 'info', systemName: '' }
  const rows = await database.kysely
    .selectFrom('notices')
    .selectAll()
    .where('id', 'in', [...notices])
    .orderBy('at')
    .orderBy('transition')
    .execute()
  const told = rows.flatMap((row) => {
    const body = parseNoticeBody(row.body)
    const transition = transitions.find((one) => one === row.transition)
    return body === undefined || transition === undefined ? [] : [{ transition, body, system: row.system }]
  })
  const [first] = told
  if (first === undefined) return undefined
  const isOfOne = told.every(({ system }) => system === first.system)
  const link = isOfOne ? `${root}/system/${encodeURIComponent(first.system)}` : `${root}/`
  return { key: id, ...(told.length === 1 ? textOfNotice(first) : textOfDigest(told)), link }
}
