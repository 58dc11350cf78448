import { AddressError, readAddress } from './address.ts'
import type { Channel, ChannelKind, HubSide } from './channel.ts'
import { bark } from './kinds/bark.ts'
import { discord } from './kinds/discord.ts'
import { generic } from './kinds/generic.ts'
import { googleChat } from './kinds/google-chat.ts'
import { gotify } from './kinds/gotify.ts'
import { lark } from './kinds/lark.ts'
import { matrix } from './kinds/matrix.ts'
import { mattermost } from './kinds/mattermost.ts'
import { ntfy } from './kinds/ntfy.ts'
import { pushbullet } from './kinds/pushbullet.ts'
import { pushover } from './kinds/pushover.ts'
import { signal } from './kinds/signal.ts'
import { slack } from './kinds/slack.ts'
import { teams } from './kinds/teams.ts'
import { telegram } from './kinds/telegram.ts'
import { webPush } from './kinds/web-push.ts'

/** Every kind of channel that has an address. Mail has none of these: it goes through the hub's own server. */
export const channelKinds: readonly ChannelKind[] = [
  bark,
  discord,
  generic,
  googleChat,
  gotify,
  lark,
  matrix,
  mattermost,
  ntfy,
  pushbullet,
  pushover,
  signal,
  slack,
  teams,
  telegram,
  webPush,
]

/** No kind has this scheme. */
export class UnknownChannel extends AddressError {
  readonly scheme: string
  constructor(scheme: string) {
    super(`Cannot read the address: there is no channel "${scheme.slice(0, 40)}"`)
    this.scheme = scheme
  }
}

/** A channel and what it is called. */
export type KnownChannel = Channel & { readonly kind: string }

/** Reads an address in the notation of existing settings. Throws {@link AddressError}, {@link UnknownChannel}. */
export function readChannel(text: string, hub: HubSide): KnownChannel {
  const kind = kindOf(text)
  if (kind === undefined) throw new UnknownChannel(schemeOf(text))
  return { ...kind.read(readAddress(text), hub), kind: kind.name }
}

/** The kind of an address by its scheme alone; undefined for none. */
export function kindOf(text: string): ChannelKind | undefined {
  const scheme = schemeOf(text).toLowerCase()
  return channelKinds.find(({ schemes }) => schemes.includes(scheme))
}

/** As written; `''` where there is none. */
export const schemeOf = (text: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? ''
