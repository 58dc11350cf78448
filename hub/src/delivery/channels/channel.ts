import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Address } from './address.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'

/**
 * HTTP request to a channel's provider, such as Discord: URL, method, headers and body. It is only a description; `sendToChannel` sends it.
 */
export type ChannelRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** True if the user chose to accept any TLS certificate of the channel's server. Absent: the certificate is verified. */
  readonly acceptsAnyCertificate?: boolean
}

/**
 * Response of a provider, such as Discord, to a channel's HTTP request: `status` and body `text`. Without a response it has `failure`
 * instead, the reason as a text for the user.
 */
export type ChannelAnswer =
  | {
      readonly status: number
      readonly text: string
      /**
       * Minimum delay in ms before the hub may repeat the request, from the response's `Retry-After` header. Absent without a valid one in
       * the future.
       */
      readonly retryAfterMs?: number
      /**
       * True if the provider's server is in an internal network. Its response text is not shown then, because it may be secret. Absent
       * counts as false.
       */
      readonly isInternal?: boolean
    }
  // No response arrived. `failure` is the reason, in the wording of existing notification tools.
  | { readonly failure: string }

/**
 * Result of one attempt to deliver a message to a channel. `outcome` is `delivered`, `later` (failed, but the hub may try again) or
 * `refused` (failed for good). `reason` says why, for the user; absent when delivered.
 */
export type AttemptOutcome =
  | { readonly outcome: 'delivered' }
  // The attempt may be repeated; not before `afterMs` from now, if the provider named a delay. `isUnfinished`: nothing failed, but more is left
  // to send, at once.
  | { readonly outcome: 'later'; readonly reason: string; readonly afterMs?: number; readonly isUnfinished?: true }
  // The provider will not accept this message later either.
  | { readonly outcome: 'refused'; readonly reason: string }

/**
 * Result of one attempt to deliver a message to a channel: outcome and reason. `reached` has the names of all destinations, such as
 * devices, that this and earlier attempts reached. The next attempt skips those.
 */
export type Verdict = AttemptOutcome & { readonly reached: readonly string[] }

/**
 * Generator that delivers one message: it yields HTTP requests, gets each response by `next`, and returns the result of the attempt. It
 * does no I/O itself; {@link sendToChannel} sends the requests.
 */
export type ChannelExchange<Result = Verdict> = Generator<ChannelRequest, Result, ChannelAnswer>

export type DeliveryAttempt = {
  readonly nowMs: number
  /**
   * Names of those destinations of a message (such as devices of one channel) that earlier delivery attempts reached. This attempt skips
   * them, so that they do not get the message twice.
   */
  readonly reached: readonly string[]
}

/**
 * Message to publish on an MQTT broker (MQTT 3.1.1): topic and payload, with the broker's address and login. All texts have at most 65,535
 * bytes of UTF-8.
 */
export type MqttPublication = {
  readonly hostname: string
  readonly port: number
  /** True if the connection to the MQTT broker uses TLS. */
  readonly isEncrypted: boolean
  /** True if the user chose to accept any TLS certificate of the MQTT broker, without verification. */
  readonly acceptsAnyCertificate: boolean
  readonly clientId: string
  /** User name for the login at the MQTT broker; `''` for none. A password needs a user name. */
  readonly user: string
  readonly password: string
  readonly topic: string
  readonly payload: string
  /** True if the MQTT broker keeps the message as the retained one of its topic, which later subscribers get at once. */
  readonly isRetained: boolean
}

/**
 * Notification channel of a user, such as a Discord webhook, created from its address. `send` returns a generator of HTTP requests that
 * deliver a message. MQTT channels have `publication` instead, which returns the message for a broker.
 */
export type Channel = {
  /**
   * List of the secret parts of the channel address, such as tokens. They are masked in every error text, unless they have fewer than 4
   * characters.
   */
  readonly secrets: readonly string[]
} & (
  | { readonly send: (message: ChannelMessage, attempt: DeliveryAttempt) => ChannelExchange }
  | { readonly publication: (message: ChannelMessage) => MqttPublication }
)

/** VAPID key of the hub (RFC 8292): a P-256 private key of 32 bytes. `contact` is a `mailto:` or `https:` URL for push services. */
export type WebPushKey = { readonly privateKey: Buffer; readonly contact: string }

/**
 * Definition of a kind of notification channel, such as Discord: its `name`, its URL `schemes`, and `read`, which creates a channel from an
 * address.
 */
export type ChannelKind = {
  readonly name: string
  /** List of the URL schemes of this kind's addresses, such as `discord`. New addresses use the first one. */
  readonly schemes: readonly string[]
  /**
   * Creates a channel from a parsed address; `webPushKey` signs the requests of Web Push channels. Throws `AddressError`, whose message
   * names the problem and contains no secret.
   */
  readonly read: (address: Address, webPushKey: WebPushKey) => Channel
}

/**
 * Message to a user, such as about an alert, before a channel formats it: title, body, links and severity. All texts are plain; each
 * channel escapes them itself.
 */
export type ChannelMessage = {
  /**
   * Key of the message, the same for each attempt, by which providers recognise repeats. ASCII letters, digits, `-` and `_`, at most 64.
   */
  readonly key: string
  /** Title of the message to a user: plain text without markup. Line breaks in a name stay; most channels join the lines. */
  readonly title: string
  readonly body: string
  /**
   * Absolute URL of a page of the hub that shows details about the message's subject, such as the system. Absent: the message has no link.
   */
  readonly link?: string
  /**
   * Absolute URL of a hub page that acknowledges the alert without signing in; it contains a secret token. Absent: there is no such page,
   * as for the end of an alert.
   */
  readonly acknowledgeLink?: string
  readonly severity: MessageSeverity
  /** Name of the system that the message is about; `''` if it concerns no single system. */
  readonly systemName: string
  /**
   * List of the alerts that the message reports, in their order, for services that track each alert, such as PagerDuty. Absent: the message
   * reports none, such as a test.
   */
  readonly incidents?: readonly MessageIncident[]
  /** Severity of the alerts that the message reports, the highest of several. Absent in messages about something else. */
  readonly level?: 'warning' | 'critical'
  /** Language of the message's texts, `en` or `de`. A channel uses it for the labels that it adds, such as `View`. Absent: English. */
  readonly language?: 'en' | 'de'
}

/**
 * One alert in a message that may report several. It has the same fields as a message, such as title, body and severity, but for this alert
 * only.
 */
export type MessageIncident = Pick<ChannelMessage, 'title' | 'body' | 'severity' | 'systemName' | 'level'> & {
  /**
   * Id of the alert's firing period, from its start to its end. The messages about its start, its reminders and its end have the same id.
   */
  readonly id: string
}

export type MessageSeverity = 'firing' | 'resolved' | 'info'

/**
 * Returns the label of the link in a notification, in its language: `View web-1` with the system's name, or `View` without a system. In
 * German `web-1 ansehen`.
 */
export function linkLabel({ systemName, language }: Pick<ChannelMessage, 'systemName' | 'language'>): string {
  const name = oneLine(systemName)
  if (language === 'de') return name === '' ? 'Ansehen' : `${name} ansehen`
  return systemName === '' ? 'View' : `View ${name}`
}

/** Returns the label of the link that acknowledges an alert, in the language of the message. */
export const acknowledgeLabel = ({ language }: Pick<ChannelMessage, 'language'>): string =>
  language === 'de' ? 'Bestätigen' : 'Acknowledge'

/** Returns the line with the link that acknowledges an alert, such as `Acknowledge: https://…`; an empty list if the message has none. */
export const acknowledgeLine = (message: Pick<ChannelMessage, 'acknowledgeLink' | 'language'>): readonly string[] =>
  message.acknowledgeLink === undefined ? [] : [`${acknowledgeLabel(message)}: ${message.acknowledgeLink}`]

/** Returns a text as one line, with all whitespace and control characters as single spaces. For headers, headings and card titles. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/**
 * Returns the links of a message as a list of lines: the URL of its page on the hub, then `Acknowledge: https://…`. Links that the message
 * lacks are left out.
 */
export const linksOf = (message: ChannelMessage): readonly string[] => [
  ...(message.link === undefined ? [] : [message.link]),
  ...acknowledgeLine(message),
]

/** Returns the message's body, followed by one line for each of its links. For channels whose messages have no separate field for links. */
export function bodyWithLink(message: ChannelMessage): string {
  const links = linksOf(message)
  return links.length === 0 ? message.body : `${message.body}\n\n${links.join('\n')}`
}

/**
 * Appends the line `Acknowledge: https://…` to a formatted body, if the message has such a link. For channels that have a separate field
 * for only one link.
 */
export const withAcknowledgeLine = (body: string, message: ChannelMessage): string => [body, ...acknowledgeLine(message)].join('\n\n')

/** Returns title, body and links of a message as one text, for channels whose messages have no title field. */
export const wholeText = (message: ChannelMessage): string => `${oneLine(message.title)}\n\n${bodyWithLink(message)}`

/** Returns a text of at most `mostUnits` UTF-16 units. A longer text is cut at a character's end and gets an ellipsis. */
export function cutTo(text: string, mostUnits: number): string {
  if (text.length <= mostUnits) return text
  const end = isHighSurrogate(text.charCodeAt(mostUnits - 2)) ? mostUnits - 2 : mostUnits - 1
  return `${text.slice(0, end)}…`
}

/** Returns a text of at most `mostBytes` bytes of UTF-8. A longer text is cut at a character's end and gets an ellipsis. */
export function cutToBytes(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  let end = mostBytes - Buffer.byteLength('…')
  while (end > 0 && isContinuation(bytes[end])) end -= 1
  return `${bytes.subarray(0, end).toString('utf8')}…`
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/**
 * Returns a POST request to a channel's provider as a description, with `body` as JSON; it sends nothing. `headers` (name to value) are
 * added to `content-type: application/json`.
 */
export const jsonPost = (url: string, body: object, headers: Readonly<Record<string, string>> = {}): ChannelRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const LONGEST_WORDS = 500

/**
 * Function that takes the body of a provider's error response, as parsed JSON object and as text. Returns the error text in it; `undefined`
 * if there is none.
 */
export type ErrorTextOf = (body: JsonObject, text: string) => Json | undefined

/**
 * Returns the outcome of a delivery attempt by the response's HTTP status. 2xx is `delivered`; 408, 425, 429, 5xx or no response is
 * `later`; anything else is `refused`. `wordsOf` extracts the provider's error text for the reason.
 */
export function judgeByStatus(answer: ChannelAnswer, wordsOf: ErrorTextOf = () => undefined): AttemptOutcome {
  if ('failure' in answer) return { outcome: 'later', reason: answer.failure }
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  const words = cleanText(wordsOf(bodyOf(answer), answer.text))
  const reason = `the server answered with status ${status}${words === '' ? '' : `: ${words}`}`
  return isWorthAnotherTry(status) ? later(reason, retryAfterMs) : { outcome: 'refused', reason }
}

const isWorthAnotherTry = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/**
 * Returns the outcome `later` of a delivery attempt: the hub repeats the delivery, but not within the next `afterMs` ms if given. `reason`
 * is a text for the user that says what failed.
 */
export const later = (reason: string, afterMs?: number): AttemptOutcome =>
  afterMs === undefined ? { outcome: 'later', reason } : { outcome: 'later', reason, afterMs }

/** Parses the text of a provider's response as a JSON object. Returns `{}` for any other text and for a failed request. */
export function bodyOf(answer: ChannelAnswer): JsonObject {
  if ('failure' in answer) return {}
  try {
    const body = parseJson(answer.text)
    return isJsonObject(body) ? body : {}
  } catch {
    return {}
  }
}

/**
 * Converts a value from a provider's response to text for people: one line, at most 500 UTF-16 units. Empty for values other than text and
 * numbers.
 */
export function cleanText(words: Json | undefined): string {
  const text = typeof words === 'string' || typeof words === 'number' ? String(words) : ''
  return text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_WORDS)
}

/** Converts a provider's retry delay (number or text, in seconds) to whole ms. `undefined` if it is absent, invalid or not positive. */
export function secondsAsMs(seconds: Json | undefined): number | undefined {
  const value = typeof seconds === 'string' ? Number(seconds) : seconds
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value * 1000) : undefined
}

/**
 * `sendOnce`: generator for channels whose message is one HTTP request. It yields `request`, gets the provider's response by `next`, and
 * returns the outcome that the function `judge` derives from that response.
 */
export function* sendOnce(request: ChannelRequest, judge: (answer: ChannelAnswer) => AttemptOutcome): ChannelExchange {
  return { ...judge(yield request), reached: [] }
}

/**
 * `sendEach`: generator that delivers a message to several `destinations`, pairs of name and value, by calling `send` for each. It skips
 * the names in `before`, which earlier attempts reached. A failure does not stop the others; any retryable one gives `later`.
 */
export function* sendEach<One>(
  destinations: readonly (readonly [name: string, destination: One])[],
  before: readonly string[],
  send: (destination: One) => ChannelExchange<AttemptOutcome>,
): ChannelExchange {
  const reached = [...before]
  const problems: Exclude<AttemptOutcome, { readonly outcome: 'delivered' }>[] = []
  for (const [name, destination] of destinations) {
    if (reached.includes(name)) continue
    const tried = yield* send(destination)
    if (tried.outcome === 'delivered') reached.push(name)
    else problems.push(destinations.length === 1 ? tried : { ...tried, reason: `${name}: ${tried.reason}` })
  }
  return { ...worst(problems), reached }
}

function worst(problems: readonly Exclude<AttemptOutcome, { readonly outcome: 'delivered' }>[]): AttemptOutcome {
  const [first] = problems
  if (first === undefined) return { outcome: 'delivered' }
  const reason = problems.map((problem) => problem.reason).join('; ')
  const open = problems.flatMap((problem) => (problem.outcome === 'later' ? [problem] : []))
  if (open.length === 0) return { outcome: 'refused', reason }
  const waits = open.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs]))
  return later(reason, waits.length === 0 ? undefined : Math.max(...waits))
}

/**
 * Returns the result of a delivery attempt that reached no further destination: the outcome `tried`. `reached` are the names of the
 * destinations, such as devices, that earlier attempts reached.
 */
export const nothingReached = (tried: AttemptOutcome, reached: readonly string[]): Verdict => ({ ...tried, reached })
