import { AddressError } from '../../delivery/channels/address.ts'
import type { ChannelMessage } from '../../delivery/channels/channel-message.ts'
import type { HubSide } from '../../delivery/channels/channel.ts'
import { readChannel, UnknownChannel, type KnownChannel } from '../../delivery/channels/channels.ts'
import { withoutSecrets } from '../../delivery/channels/hidden-secrets.ts'
import { tellChannel } from '../../delivery/channels/tell-channel.ts'

const told: Omit<ChannelMessage, 'key'> = {
  title: 'Test alert',
  body: 'This is a test notification from Vedette.',
  severity: 'info',
  systemName: '',
}

export type AddressTest = {
  readonly hub: HubSide
  /** Another one at each test. */
  readonly key: string
  readonly nowMs: number
  /** Where the message leads to. */
  readonly link?: string
  /** Whether who asks may have the hub ask networks that are nobody else's. */
  readonly mayAskInternal: boolean
}

/**
 * Sends a test message to an address for notifications. False when it was taken; otherwise what came of it, in the words of existing
 * tools and with the provider's own answer. Throws `InternalDestination`.
 */
export async function testAddress(address: string, { hub, key, nowMs, link, mayAskInternal }: AddressTest): Promise<string | false> {
  const channel = readOrProblem(address, hub)
  if (typeof channel === 'string') return channel
  const message = { ...told, key, ...(link === undefined ? {} : { link }) }
  try {
    const verdict = await tellChannel(channel, message, { nowMs, reached: [], mayAskInternal })
    if (verdict.outcome === 'delivered') return false
    return `sending message via service at "${shown(address, channel)}": failed to send notification to ${channel.kind}: ${verdict.said}`
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    return `initializing service for "${shown(address, channel)}": ${error.message}`
  }
}

function readOrProblem(address: string, hub: HubSide): KnownChannel | string {
  try {
    return readChannel(address, hub)
  } catch (error) {
    if (error instanceof UnknownChannel) return `locating service for URL "${address}": unknown service: "${error.scheme}"`
    if (!(error instanceof AddressError)) throw error
    return `initializing service: ${error.message}`
  }
}

/** Of a webhook everything but its secrets, as tools know it; of the others nearly everything is one. */
function shown(address: string, { kind, secrets }: KnownChannel): string {
  return kind === 'generic webhook' ? withoutSecrets(address, secrets) : address.replace(/(?<=:).*$/s, '//***')
}
