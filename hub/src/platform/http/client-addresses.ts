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

/**
 * Functions that determine addresses of requests behind trusted proxies: `addressOf` the client's, `peerOf` the connection's. `trust`
 * replaces the proxies from the settings while the hub runs.
 */
export type ClientAddresses = {
  /**
   * Returns the client's IP address of a request. If a trusted proxy sent the request, it comes from the forwarding headers. For each of
   * the first 20 untrusted addresses that send a forwarding header, it logs once that the header is ignored.
   */
  readonly addressOf: (request: RequestOrigin) => string
  /**
   * Returns the peer address of the connection on which a request arrived, such as that of a proxy: an IP address or `unix`. Forwarding
   * headers are ignored.
   */
  readonly peerOf: (request: RequestOrigin) => string
  /**
   * Returns true when a request's direct peer is a proxy that the operator listed in an option of the hub. Proxies in the settings do not
   * count.
   */
  readonly isNamedProxy: (request: RequestOrigin) => boolean
  readonly proxies: () => TrustedProxies
  /** Replaces the trusted proxies that come from the settings. Those that the operator listed in an option of the hub stay trusted. */
  readonly trust: (settings: ForwardingTrust) => void
  /**
   * Returns at most 20 untrusted addresses whose forwarding headers were ignored, each with the header's name and the time of its first
   * request. They serve as a warning to admins.
   */
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
}

type AddressParts = {
  /**
   * List of addresses and networks of trusted proxies from an option of the hub. `unix` stands for the peers of a Unix socket. Settings
   * cannot remove them.
   */
  readonly named: readonly string[]
  readonly addressOfPeer: PeerAddress
  readonly clock: Clock
  readonly log: Log
}

/**
 * Creates the functions that determine the IP address of a request's client, behind the proxies in `named` and in the settings. Throws a
 * `RangeError` if `named` has a text that is no address or network.
 */
export function clientAddresses({ named, addressOfPeer, clock, log }: AddressParts): ClientAddresses {
  const namedProxies = trustedProxies(named)
  let proxies = namedProxies
  const forwarding = forwardingReport(clock, log)
  const peerOf = ({ socket }: RequestOrigin): string => clientAddress(addressOfPeer(socket), {}, namedProxies)
  return {
    addressOf({ socket, headers = {} }) {
      const peer = addressOfPeer(socket)
      forwarding.note(clientAddress(peer, {}, proxies), headers, proxies)
      return clientAddress(peer, headers, proxies)
    },
    peerOf,
    isNamedProxy: (request) => namedProxies.includes(peerOf(request)),
    proxies: () => proxies,
    trust(settings) {
      proxies = trustedProxies(named, settings)
    },
    untrustedForwarding: () => forwarding.list(proxies),
  }
}
