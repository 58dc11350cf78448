import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { rateLimiter, type RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { Settings } from '../../settings/settings.ts'
import { clientAddress, trustedProxies, type RequestOrigin } from './client-address.ts'
import { connectionGuard, type ConnectionGuard } from './connection-guard.ts'
import { forwardingReport, type UntrustedForwarding } from './untrusted-forwarding.ts'
import { standardPeerLimits, type PeerLimits } from './peer-limits.ts'

/** Who comes with a request, and how often they may, by what is set now. */
export type RequestAdmission = {
  /** The address of the client, as far as trusted proxies tell. Reports what others tell. */
  readonly addressOf: (request: RequestOrigin) => string
  /** Addresses whose forwarding headers were ignored. */
  readonly untrustedForwarding: () => readonly UntrustedForwarding[]
  /** Whether the operator named proxies; others are a setting. */
  readonly namesProxies: boolean
  readonly limiter: RateLimiter
  /** The books of connections: their addresses and accounts, and how many each may have. */
  readonly connections: ConnectionGuard
}

type Parts = {
  readonly namedProxies: readonly string[]
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly limits?: PeerLimits
}

export async function openRequestAdmission({
  namedProxies,
  settings,
  clock,
  log,
  limits = standardPeerLimits,
}: Parts): Promise<RequestAdmission> {
  let proxies = trustedProxies(namedProxies)
  const limiter = rateLimiter(clock)
  await settings.follow(({ trustedProxy, rateLimits }) => {
    proxies = trustedProxies(namedProxies, trustedProxy)
    limiter.follow(rateLimits)
  })
  const connections = connectionGuard({ limits, proxies: () => proxies, clock, log })
  const forwarding = forwardingReport(clock, log)
  return {
    addressOf({ socket: { remoteAddress = '' }, headers = {} }) {
      forwarding.note(clientAddress(remoteAddress, {}, proxies), headers, proxies)
      return clientAddress(remoteAddress, headers, proxies)
    },
    untrustedForwarding: () => forwarding.list(proxies),
    namesProxies: namedProxies.length > 0,
    limiter,
    connections,
  }
}
