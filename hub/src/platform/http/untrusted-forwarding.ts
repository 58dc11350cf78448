import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Networks } from '../network/networks.ts'

/**
 * Record of an address that sent a forwarding header but is not a trusted proxy. Either the settings lack a proxy, or a client forges the
 * header.
 */
export type UntrustedForwarding = {
  readonly address: string
  /** Lower-case name of the forwarding header that the untrusted address sent, such as `x-forwarded-for`. */
  readonly header: string
  /** Time of the first request with a forwarding header from the untrusted address, in epoch ms. */
  readonly firstAtMs: number
}

export type ForwardingReport = {
  readonly note: (address: string, headers: IncomingHttpHeaders, proxies: Networks) => void
  /**
   * Returns the addresses that sent forwarding headers without being trusted, each with the header's name and first time. Addresses in
   * `proxies`, the networks that are trusted now, are left out.
   */
  readonly list: (proxies: Networks) => readonly UntrustedForwarding[]
}

/**
 * Maximum number of recorded addresses that sent untrusted forwarding headers: 20; further ones are not recorded. A proxy that is missing
 * in the settings is among the first ones.
 */
const MOST_ADDRESSES = 20

const forwarding = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded'] as const

/**
 * Creates the report of untrusted addresses that send forwarding headers: `note` records an address, `list` returns them. The first 20
 * addresses are recorded, and each is logged once.
 */
export function forwardingReport(clock: Clock, log: Log): ForwardingReport {
  const seen = new Map<string, UntrustedForwarding>()
  return {
    note(address, headers, proxies) {
      if (seen.size >= MOST_ADDRESSES || seen.has(address)) return
      const header = forwarding.find((name) => headers[name] !== undefined)
      if (header === undefined || proxies.includes(address)) return
      seen.set(address, { address, header, firstAtMs: clock.now() })
      log.warn('forwarding header ignored: its sender is not a trusted proxy', { address, header })
    },
    list: (proxies) => [...seen.values()].filter(({ address }) => !proxies.includes(address)),
  }
}
