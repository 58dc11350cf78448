import { AddressError } from '../../delivery/channels/address.ts'
import type { ChannelMessage, WebPushKey } from '../../delivery/channels/channel.ts'
import { readChannel, UnknownChannel, type KnownChannel, withoutSecrets, sendToChannel } from '../../delivery/channels/channels.ts'
import { englishNoticeWords } from './words/notice-text.ts'
import type { NoticeWords } from './words/notice-words.ts'

export type AddressTest = {
  readonly webPushKey: WebPushKey
  /** Idempotency key of the test message, by which providers recognise a repeated request. Each test has a new one. */
  readonly key: string
  readonly nowMs: number
  /** URL of a hub page to which the test message links. Absent: no link. */
  readonly link?: string
  /** Notification texts in the user's language, from which the test message is taken. Absent: the English texts. */
  readonly words?: NoticeWords
  /** True when the tester of a channel address may let the hub send to servers in internal networks, such as `10.0.0.0/8`. */
  readonly mayAskInternal: boolean
}

/**
 * Sends a test message to a channel address. Resolves to false on success, else to the error text for the user. Rejects with
 * `InternalDestination` when the user may not send to that server.
 */
export async function testAddress(
  address: string,
  { webPushKey, key, nowMs, link, words = englishNoticeWords, mayAskInternal }: AddressTest,
): Promise<string | false> {
  const channel = readOrProblem(address, webPushKey)
  if (typeof channel === 'string') return channel
  const { test, language } = words
  const message: ChannelMessage = { ...test, severity: 'info', systemName: '', language, key, ...(link === undefined ? {} : { link }) }
  try {
    const verdict = await sendToChannel(channel, message, { nowMs, reached: [], mayAskInternal })
    if (verdict.outcome === 'delivered') return false
    return `sending message via service at "${shown(address, channel)}": failed to send notification to ${channel.kind}: ${verdict.reason}`
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    return `initializing service for "${shown(address, channel)}": ${error.message}`
  }
}

function readOrProblem(address: string, webPushKey: WebPushKey): KnownChannel | string {
  try {
    return readChannel(address, webPushKey)
  } catch (error) {
    if (error instanceof UnknownChannel) return `locating service for URL "${address}": unknown service: "${error.scheme}"`
    if (!(error instanceof AddressError)) throw error
    return `initializing service: ${error.message}`
  }
}

/**
 * Returns a channel address without its secrets, for error messages. The address of a generic webhook keeps its form, with `***` for each
 * secret; of others only the scheme remains.
 */
function shown(address: string, { kind, secrets }: KnownChannel): string {
  return kind === 'generic webhook' ? withoutSecrets(address, secrets) : address.replace(/(?<=:).*$/s, '//***')
}
