import type { Clock } from '../../platform/clock.ts'
import { peerAddress } from '../../platform/http/client-address.ts'
import { clientAddresses, type ClientAddresses } from '../../platform/http/client-addresses.ts'
import { connectionGuard, type ConnectionGuard } from '../../platform/http/connection-guard.ts'
import { standardPeerLimits, type PeerLimits } from '../../platform/http/peer-limits.ts'
import { rateLimiter, type RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { Log } from '../../platform/log.ts'
import type { Settings } from '../../settings/settings.ts'

/**
 * Services for incoming requests: they determine the address of a client behind proxies, and limit the requests and connections of each
 * client. They apply changed settings at once.
 */
export type RequestAdmission = Pick<ClientAddresses, 'addressOf' | 'peerOf' | 'isNamedProxy' | 'untrustedForwarding'> & {
  /** True when the operator configured trusted proxies by an option of the hub. Admins can add further proxies in the settings. */
  readonly namesProxies: boolean
  readonly limiter: RateLimiter
  readonly connections: ConnectionGuard
}

type Parts = {
  readonly namedProxies: readonly string[]
  /**
   * True when the hub listens on a Unix socket, which has no client addresses; then every client counts as the peer {@link UNIX_PEER}.
   * False by default.
   */
  readonly isUnixSocket?: boolean
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly limits?: PeerLimits
}

export async function openRequestAdmission({
  namedProxies,
  isUnixSocket = false,
  settings,
  clock,
  log,
  limits = standardPeerLimits,
}: Parts): Promise<RequestAdmission> {
  const addressOfPeer = peerAddress(isUnixSocket)
  const addresses = clientAddresses({ named: namedProxies, addressOfPeer, clock, log })
  const limiter = rateLimiter(clock)
  await settings.follow(({ trustedProxy, rateLimits }) => {
    addresses.trust(trustedProxy)
    limiter.follow(rateLimits)
  })
  return {
    addressOf: addresses.addressOf,
    peerOf: addresses.peerOf,
    isNamedProxy: addresses.isNamedProxy,
    untrustedForwarding: addresses.untrustedForwarding,
    namesProxies: namedProxies.length > 0,
    limiter,
    connections: connectionGuard({ limits, addressOfPeer, proxies: addresses.proxies, clock, log }),
  }
}
