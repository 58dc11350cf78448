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

/** All kinds of channels with an address. Email is not one: it uses the hub's own mail server. */
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

/** Thrown for an address whose scheme no channel kind has. */
export class UnknownChannel extends AddressError {
  readonly scheme: string
  constructor(scheme: string) {
    super(`Cannot read the address: there is no channel "${scheme.slice(0, 40)}"`)
    this.scheme = scheme
  }
}

/** A channel with the name of its kind. */
export type KnownChannel = Channel & { readonly kind: string }

/** Creates the channel of an address. Throws {@link AddressError}, {@link UnknownChannel}. */
export function readChannel(text: string, hub: HubSide): KnownChannel {
  const kind = kindOf(text)
  if (kind === undefined) throw new UnknownChannel(schemeOf(text))
  return { ...kind.read(readAddress(text), hub), kind: kind.name }
}

/** Finds the channel kind by the address's scheme; undefined for an unknown scheme. */
export function kindOf(text: string): ChannelKind | undefined {
  const scheme = schemeOf(text).toLowerCase()
  return channelKinds.find(({ schemes }) => schemes.includes(scheme))
}

/** The scheme as written; `''` if there is none. */
export const schemeOf = (text: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? ''
