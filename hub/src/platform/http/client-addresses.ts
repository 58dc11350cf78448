import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { clientAddress, trustedProxies, type ForwardingTrust, type RequestOrigin, type TrustedProxies } from './client-address.ts'
import { forwardingReport, type UntrustedForwarding } from './untrusted-forwarding.ts'

/** Addresses of clients, resolved with the current trusted proxies. */
export type ClientAddresses = {
  /** The client's address according to trusted proxies. Reports forwarding headers of untrusted peers. */
  readonly addressOf: (request: RequestOrigin) => string
  readonly proxies: () => TrustedProxies
  /** Replaces the trusted proxies from the settings. The named ones stay. */
  readonly trust: (settings: ForwardingTrust) => void
  /** Addresses whose forwarding headers were ignored. */
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
}

/** `named`: addresses and networks of proxies that are always trusted. */
export function clientAddresses(named: readonly string[], clock: Clock, log: Log): ClientAddresses {
  let proxies = trustedProxies(named)
  const forwarding = forwardingReport(clock, log)
  return {
    addressOf({ socket: { remoteAddress = '' }, headers = {} }) {
      forwarding.note(clientAddress(remoteAddress, {}, proxies), headers, proxies)
      return clientAddress(remoteAddress, headers, proxies)
    },
    proxies: () => proxies,
    trust(settings) {
      proxies = trustedProxies(named, settings)
    },
    untrustedForwarding: () => forwarding.list(proxies),
  }
}
