import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import {
  clientAddress,
  trustedProxies,
  type ForwardingTrust,
  type PeerAddress,
  type RequestOrigin,
  type TrustedProxies,
} from './client-address.ts'
import { forwardingReport, type UntrustedForwarding } from './untrusted-forwarding.ts'

/** Service that determines the client's IP address of a request with the current trusted proxies. */
export type ClientAddresses = {
  /**
   * Returns the client's IP address of a request, with the forwarding headers of trusted proxies. Logs forwarding headers of untrusted
   * peers.
   */
  readonly addressOf: (request: RequestOrigin) => string
  readonly proxies: () => TrustedProxies
  /** Replaces the trusted proxies that come from the settings. Proxies of the command line stay trusted. */
  readonly trust: (settings: ForwardingTrust) => void
  /** Returns the untrusted addresses whose forwarding headers were ignored, for a warning to admins. */
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
}

type AddressParts = {
  /** Addresses and networks of proxies that are always trusted, and `unix` for the peers of a Unix socket. */
  readonly named: readonly string[]
  readonly addressOfPeer: PeerAddress
  readonly clock: Clock
  readonly log: Log
}

/** Creates the service that determines client addresses. Throws a `RangeError` for an invalid named proxy. */
export function clientAddresses({ named, addressOfPeer, clock, log }: AddressParts): ClientAddresses {
  let proxies = trustedProxies(named)
  const forwarding = forwardingReport(clock, log)
  return {
    addressOf({ socket, headers = {} }) {
      const peer = addressOfPeer(socket)
      forwarding.note(clientAddress(peer, {}, proxies), headers, proxies)
      return clientAddress(peer, headers, proxies)
    },
    proxies: () => proxies,
    trust(settings) {
      proxies = trustedProxies(named, settings)
    },
    untrustedForwarding: () => forwarding.list(proxies),
  }
}
