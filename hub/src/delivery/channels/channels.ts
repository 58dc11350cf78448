import { validateHeaderName, validateHeaderValue } from 'node:http'
import { AddressError, readAddress } from './address.ts'
import type {
  Channel,
  ChannelKind,
  WebPushKey,
  DeliveryAttempt,
  ChannelAnswer,
  ChannelExchange,
  ChannelRequest,
  MqttPublication,
  Verdict,
  ChannelMessage,
} from './channel.ts'
import { bark } from './kinds/bark.ts'
import { discord } from './kinds/discord.ts'
import { generic } from './kinds/generic.ts'
import { googleChat } from './kinds/google-chat.ts'
import { gotify } from './kinds/gotify.ts'
import { lark } from './kinds/lark.ts'
import { matrix } from './kinds/matrix.ts'
import { mattermost } from './kinds/mattermost.ts'
import { mqtt } from './kinds/mqtt.ts'
import { ntfy } from './kinds/ntfy.ts'
import { pagerDuty } from './kinds/pagerduty.ts'
import { pushbullet } from './kinds/pushbullet.ts'
import { pushover } from './kinds/pushover.ts'
import { rocketChat } from './kinds/rocketchat.ts'
import { signal } from './kinds/signal.ts'
import { slack } from './kinds/slack.ts'
import { teams } from './kinds/teams.ts'
import { telegram } from './kinds/telegram.ts'
import { webPush } from './kinds/web-push.ts'
import { zulip } from './kinds/zulip.ts'
import { errorCode } from '../../platform/error-code.ts'
import { checkedFetch } from '../../platform/outgoing/checked-fetch.ts'
import { isInternal } from '../../platform/outgoing/internal-address.ts'
import { UnreachableError } from '../../platform/outgoing/reachable-address.ts'

/**
 * List of all kinds of channels that have an address, such as Discord and Slack. Email is not one of them: it uses the hub's own mail
 * server.
 */
export const channelKinds: readonly ChannelKind[] = [
  bark,
  discord,
  generic,
  googleChat,
  gotify,
  lark,
  matrix,
  mattermost,
  mqtt,
  ntfy,
  pagerDuty,
  pushbullet,
  pushover,
  rocketChat,
  signal,
  slack,
  teams,
  telegram,
  webPush,
  zulip,
]

/** Error for a channel address whose URL scheme (`scheme`) belongs to no kind of channel. */
export class UnknownChannel extends AddressError {
  readonly scheme: string
  constructor(scheme: string) {
    super(`Cannot read the address: there is no channel "${scheme.slice(0, 40)}"`)
    this.scheme = scheme
  }
}

/** Notification channel, with the display name of its kind in `kind`, such as `Discord`. */
export type KnownChannel = Channel & { readonly kind: string }

/**
 * Creates the channel for the text of an address such as `discord://…`; `webPushKey` signs the requests of Web Push channels. Throws {@link
 * UnknownChannel} for an unknown scheme, {@link AddressError} for other errors in the address.
 */
export function readChannel(text: string, webPushKey: WebPushKey): KnownChannel {
  const kind = kindOf(text)
  if (kind === undefined) throw new UnknownChannel(schemeOf(text))
  return { ...kind.read(readAddress(text), webPushKey), kind: kind.name }
}

/**
 * Returns the channel kind (its name, schemes and parser) for the text of an address, by its URL scheme. `undefined` for an unknown scheme.
 */
export function kindOf(text: string): ChannelKind | undefined {
  const scheme = schemeOf(text).toLowerCase()
  return channelKinds.find(({ schemes }) => schemes.includes(scheme))
}

/** Returns the URL scheme of a channel address as written, without the colon; `''` if there is none. */
export const schemeOf = (text: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? ''

/** Error for a notification to a server with an internal IP address, or with a name that resolves to one, whose user may not send there. */
export class InternalDestination extends Error {
  override readonly name = 'InternalDestination'
}

/**
 * Options of one attempt to deliver a message to a channel: the current time, the destinations that earlier attempts reached, and timeouts.
 * `mayAskInternal`: the user may send to servers in internal networks.
 */
export type SendOptions = DeliveryAttempt & {
  readonly mayAskInternal: boolean
  /**
   * Timeout in ms for each HTTP response of the channel's provider; for MQTT, of the whole publication. 15,000 by default. After it the
   * attempt has the outcome `later`.
   */
  readonly deadlineMs?: number
  /**
   * Abort signal that cancels the requests to the provider. The message then counts as not delivered. `undefined`: it cannot be cancelled.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * Time limit for all HTTP requests of one message together, in ms (60 s). After it no further request is sent, and the message counts as
 * failed; a request that runs may finish.
 */
const EXCHANGE_MS = 60_000
/**
 * Maximum number of HTTP requests for one message: 200. If a channel's generator yields more, sending fails with an error, because the
 * generator has a bug and would never end.
 */
const MOST_REQUESTS = 200

/**
 * Sends one message to a channel and resolves to the outcome, in whose texts secrets are masked. Throws {@link InternalDestination},
 * `AddressError` for a URL or header that cannot be sent, and an Error if more than 200 requests are needed.
 */
export async function sendToChannel(channel: KnownChannel, message: ChannelMessage, sending: SendOptions): Promise<Verdict> {
  const verdict = await ('send' in channel
    ? exchange(channel.send(message, sending), channel.kind, sending)
    : publish(channel.publication(message), sending))
  return verdict.outcome === 'delivered'
    ? verdict
    : { ...verdict, reason: withoutSecrets(verdict.reason, [...channel.secrets, tokenOf(message)]) }
}

async function exchange(talk: ChannelExchange, kind: string, sending: SendOptions): Promise<Verdict> {
  const untilMs = performance.now() + EXCHANGE_MS
  let step = talk.next()
  for (let requests = 0; !step.done; requests += 1) {
    if (requests === MOST_REQUESTS) throw new Error(`Cannot send a message: more than ${MOST_REQUESTS} requests to ${kind}`)
    step = talk.next(performance.now() < untilMs ? await answerTo(step.value, sending) : { failure: 'there was no time left for it' })
  }
  return step.value
}

async function publish(publication: MqttPublication, { mayAskInternal, deadlineMs, signal, reached }: SendOptions): Promise<Verdict> {
  // Loaded on first use: most hubs have no such channel.
  const { publishToBroker } = await import('./publish-mqtt.ts')
  const networks = networkGuard(mayAskInternal)
  try {
    return { ...(await publishToBroker(publication, { mayAsk: networks.mayAsk, deadlineMs, signal })), reached }
  } catch (cause) {
    return { outcome: 'later', reason: networks.reasonOf(cause), reached }
  }
}

/**
 * Creates the check of IP addresses for one request to a channel's server. Its `mayAsk` refuses an internal address without
 * `mayAskInternal`. Its `reasonOf` turns the request's error into a text, or throws {@link InternalDestination} after such a refusal.
 */
function networkGuard(mayAskInternal: boolean) {
  let isRefused = false
  let hasInternal = false
  return {
    hasInternal: (): boolean => hasInternal,
    mayAsk: (address: string): boolean => {
      hasInternal ||= isInternal(address)
      isRefused ||= hasInternal && !mayAskInternal
      return !isRefused
    },
    reasonOf(cause: unknown, reason = (error: UnreachableError): string => error.message): string {
      if (!(cause instanceof UnreachableError)) throw cause
      if (isRefused) throw new InternalDestination('Only admins can send to internal destinations.', { cause })
      return reason(cause)
    },
  }
}

/** Returns the secret token in a message's link that acknowledges its alert: the URL's fragment. `''` if there is none. */
const tokenOf = ({ acknowledgeLink = '' }: ChannelMessage): string => acknowledgeLink.split('#')[1] ?? ''

async function answerTo(request: ChannelRequest, { mayAskInternal, nowMs, deadlineMs, signal }: SendOptions): Promise<ChannelAnswer> {
  if (!canBeSent(request)) throw new AddressError('Cannot send to the address: it contains characters that a request cannot contain')
  const networks = networkGuard(mayAskInternal)
  try {
    const answer = await checkedFetch(request.url, {
      ...request,
      mayAsk: networks.mayAsk,
      signal,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    })
    const retryAfterMs = retryAfterMsOf(answer.headers.get('retry-after'), nowMs)
    return {
      status: answer.status,
      text: await answer.text(),
      isInternal: networks.hasInternal(),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  } catch (cause) {
    return { failure: networks.reasonOf(cause, (error) => failureOf(request, error)) }
  }
}

/** Returns true if Node can send a channel's request: its URL and all headers are valid. Addresses from users may contain any character. */
function canBeSent({ url, headers }: ChannelRequest): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return URL.canParse(url)
  } catch {
    return false
  }
}

const LONGEST_WAIT_MS = 24 * 3_600_000

/**
 * Parses a `Retry-After` header, seconds or a date (RFC 9110 10.2.3). Returns ms from now, at most 24 h. `undefined` if absent, and for 0,
 * a past date and any other text.
 */
function retryAfterMsOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(waitMs) && waitMs > 0 ? Math.min(waitMs, LONGEST_WAIT_MS) : undefined
}

/**
 * Returns why a channel's request got no response, as a text for the user. It names method and URL, and has the wording of existing
 * notification tools, such as `…: connect: connection refused`.
 */
function failureOf({ url, method }: ChannelRequest, { cause, message }: UnreachableError): string {
  const { host, hostname, port, protocol } = new URL(url)
  const at = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  const code = errorCode(cause)
  const asked = `sending HTTP request: ${method.charAt(0)}${method.slice(1).toLowerCase()} "${url}"`
  if (code === 'ECONNREFUSED') return `${asked}: dial tcp ${at}: connect: connection refused`
  if (code === 'ENOTFOUND') return `${asked}: dial tcp: lookup ${hostname}: no such host`
  return `${asked}: ${message}`
}

/** Minimum length of a channel's secret that is masked in error texts: 4. Masking shorter ones would damage ordinary words. */
const LEAST_LENGTH = 4

/** Returns a text with all secrets replaced by `***`, both as they are and URL-encoded. Secrets under 4 characters stay. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const all = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams({ '': secret }).toString().slice(1),
  ])
  const long = [...new Set(all)].filter((secret) => secret.length >= LEAST_LENGTH)
  return long.toSorted((one, other) => other.length - one.length).reduce((left, secret) => left.replaceAll(secret, '***'), text)
}
