import type { Address } from './address.ts'
import type { ChannelMessage } from './channel-message.ts'

/** One HTTP request to a provider. */
export type ChannelRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** True if the address accepts any TLS certificate. */
  readonly acceptsAnyCertificate?: boolean
}

/** The response to a request, or the reason why there is none. */
export type ChannelAnswer =
  | {
      readonly status: number
      readonly text: string
      /** From the `Retry-After` header, in ms. */
      readonly retryAfterMs?: number
      /** The server is in an internal network, so its response text may be a secret. */
      readonly isInternal?: boolean
    }
  /** No response; the reason, in the wording of existing tools. */
  | { readonly failure: string }

/** Outcome of an attempt. `said` is shown to the owner: the provider's own words, or why there are none. */
export type Tried =
  | { readonly outcome: 'delivered' }
  /** The attempt may be repeated, not before `afterMs` from now if the provider names a time. */
  | { readonly outcome: 'later'; readonly said: string; readonly afterMs?: number }
  /** The provider will not accept this message later either. */
  | { readonly outcome: 'refused'; readonly said: string }

/** Outcome with the destinations that have received the message; the next attempt skips them. */
export type Verdict = Tried & { readonly reached: readonly string[] }

/** A generator that sends one message: it yields requests and receives their responses. It does no I/O itself. */
export type Talk<Result = Verdict> = Generator<ChannelRequest, Result, ChannelAnswer>

export type Attempt = {
  readonly nowMs: number
  /** Destinations that an earlier attempt reached. */
  readonly reached: readonly string[]
}

/** A parsed address that can receive messages. */
export type Channel = {
  readonly tell: (message: ChannelMessage, attempt: Attempt) => Talk
  /** Secret parts of the address. They are removed from every text about it. */
  readonly secrets: readonly string[]
}

/** Data of the hub that channel kinds need. */
export type HubSide = {
  /** The key that signs Web Push requests. */
  readonly webPushKey: WebPushKey
}

/**
 * The hub's VAPID key (RFC 8292): a P-256 private key of 32 bytes. `contact` is a `mailto:` or `https:` URL where push services find the
 * operator.
 */
export type WebPushKey = { readonly privateKey: Buffer; readonly contact: string }

/** One kind of channel: its own file, and an entry in `channels.ts`. */
export type ChannelKind = {
  readonly name: string
  /** URL schemes of its addresses; new addresses use the first one. */
  readonly schemes: readonly string[]
  /** Creates a channel from an address. Throws `AddressError`, whose message names the problem and contains no secret. */
  readonly read: (address: Address, hub: HubSide) => Channel
}
