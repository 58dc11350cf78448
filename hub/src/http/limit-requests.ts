import type { MiddlewareHandler } from 'hono'
import { TooManyAttemptsError } from '../auth/auth.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { rateLabels } from '../limits/rate-rules.ts'
import { isAdmin } from '../records/actor.ts'
import type { Collections } from '../records/collection.ts'
import { remoteAddress, type Signed } from './signed.ts'

/** Throws 429 for one request too many. Admins are never held up: they may have to mend the rules. */
export function limitRequests(limiter: RateLimiter, collections: Collections): MiddlewareHandler<Signed> {
  const nameOf = (nameOrId: string): string | undefined => collections.find(nameOrId)?.name
  return async (c, next) => {
    const { actor } = c.var
    if (limiter.isOn() && !isAdmin(actor)) {
      const labels = rateLabels(c.req.method, c.req.path, nameOf)
      const seconds = limiter.admit({ labels, address: remoteAddress(c), isGuest: actor === undefined })
      if (seconds !== undefined) throw new TooManyAttemptsError(seconds)
    }
    await next()
  }
}
