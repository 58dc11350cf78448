import type { MiddlewareHandler } from 'hono'
import { TooManyAttemptsError } from '../accounts/auth.ts'
import type { RateLimiter } from '../platform/limits/rate-limiter.ts'
import { rateLabels } from '../platform/limits/rate-rules.ts'
import { isAdmin } from '../records/model/actor.ts'
import type { Collections } from '../records/model/collection.ts'
import { remoteAddress, type RequestContext } from './requests/request-context.ts'

/** Throws 429 for one request too many. Admins are never held up: they may have to mend the rules. */
export function limitRequests(limiter: RateLimiter, collections: Collections): MiddlewareHandler<RequestContext> {
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
