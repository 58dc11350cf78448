import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { clientAddress, trustedProxies, type ForwardingTrust, type RequestOrigin, type TrustedProxies } from './client-address.ts'
import { forwardingReport, type UntrustedForwarding } from './untrusted-forwarding.ts'

/** Functions that determine the client's IP address of a request, and change the trusted proxies that they use for it. */
export type ClientAddresses = {
  /**
   * Returns the client's IP address of a request, by the forwarding headers if a trusted proxy sent it. Logs once for each other address
   * that its forwarding headers are ignored.
   */
  readonly addressOf: (request: RequestOrigin) => string
  readonly proxies: () => TrustedProxies
  /** Replaces the trusted proxies that come from the settings. Proxies of the command line stay trusted. */
  readonly trust: (settings: ForwardingTrust) => void
  /** Returns the untrusted addresses whose forwarding headers were ignored, for a warning to admins. */
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
}

/**
 * Creates the functions that determine client addresses. `named` are addresses and networks of proxies that are always trusted. Throws a
 * `RangeError` for an invalid one.
 */
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
