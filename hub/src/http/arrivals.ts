import type { Clock } from '../clock.ts'
import { rateLimiter, type RateLimiter } from '../limits/rate-limiter.ts'
import type { Settings } from '../settings/settings.ts'
import { trustedProxies, type TrustedProxies } from './client-address.ts'

/** Who comes with a request, and how often they may, by what is set now. */
export type Arrivals = {
  /** Whose word about other people's addresses is believed. */
  readonly proxies: () => TrustedProxies
  /** Whether the operator named proxies; others are a setting. */
  readonly namesProxies: boolean
  readonly limiter: RateLimiter
}

type Parts = { readonly namedProxies: readonly string[]; readonly settings: Settings; readonly clock: Clock }

export async function openArrivals({ namedProxies, settings, clock }: Parts): Promise<Arrivals> {
  let proxies = trustedProxies(namedProxies)
  const limiter = rateLimiter(clock)
  await settings.follow(({ trustedProxy, rateLimits }) => {
    proxies = trustedProxies(namedProxies, trustedProxy)
    limiter.follow(rateLimits)
  })
  return { proxies: () => proxies, namesProxies: namedProxies.length > 0, limiter }
}
