import type { Address } from './address.ts'
import type { ChannelMessage } from './channel-message.ts'

/** One request to a provider. */
export type ChannelRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The owner of the address says that its certificate is nobody's. */
  readonly acceptsAnyCertificate?: boolean
}

/** What came of a request. */
export type ChannelAnswer =
  | {
      readonly status: number
      readonly text: string
      /** From the `Retry-After` header. */
      readonly retryAfterMs?: number
      /** It stands in a network that is nobody else's: what it says may be a secret. */
      readonly isInternal?: boolean
    }
  /** Nobody answered; why, in the words that tools know. */
  | { readonly failure: string }

/** What the answers say about a message. `said` is for its owner: the provider's own words, or why there are none. */
export type Tried =
  | { readonly outcome: 'delivered' }
  /** Worth another try, not before `afterMs` from now where the provider names a time. */
  | { readonly outcome: 'later'; readonly said: string; readonly afterMs?: number }
  /** The same will not be taken later either. */
  | { readonly outcome: 'refused'; readonly said: string }

/** With the destinations that have it by now: the next try leaves them out. */
export type Verdict = Tried & { readonly reached: readonly string[] }

/** What is asked and answered about one message: yields requests, is given their answers. Touches nothing itself. */
export type Talk<Result = Verdict> = Generator<ChannelRequest, Result, ChannelAnswer>

export type Attempt = {
  readonly nowMs: number
  /** What an earlier try of the same message has reached. */
  readonly reached: readonly string[]
}

/** An address that was read: somewhere messages can go. */
export type Channel = {
  readonly tell: (message: ChannelMessage, attempt: Attempt) => Talk
  /** Parts of the address that nobody else may read; taken out of everything that is said about it. */
  readonly secrets: readonly string[]
}

/** What a kind needs of the hub. */
export type HubSide = {
  /** Signs what the hub sends to browsers. */
  readonly webPushKey: WebPushKey
}

/** The hub's key of RFC 8292. `contact` is where a push service finds who runs the hub: `mailto:` or `https:`. */
export type WebPushKey = { readonly privateKey: Buffer; readonly contact: string }

/** One kind of channel: a file of its own, a line in `channels.ts`. */
export type ChannelKind = {
  readonly name: string
  /** The schemes of its addresses, the first one for new ones. */
  readonly schemes: readonly string[]
  /** Throws `AddressError`, which names what is wrong and nothing secret. */
  readonly read: (address: Address, hub: HubSide) => Channel
}
