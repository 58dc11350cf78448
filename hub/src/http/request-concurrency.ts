import type { MiddlewareHandler } from 'hono'
import { concurrencyLimit } from '../platform/limits/concurrency-limit.ts'
import { networkOf } from '../platform/network/ip-address.ts'
import { TooManyError } from '../records/model/record-error.ts'
import { remoteAddress, type RequestContext } from './requests/request-context.ts'

/**
 * Answers so many requests of one account, or of guests of one address, at once. The place is free again when the response is made, not
 * when it is read: an event stream takes none for long, and a client that reads slowly delays nobody. Throws 429 for a client that left.
 */
export function requestConcurrency(atOnce: number): MiddlewareHandler<RequestContext> {
  const turn = concurrencyLimit(atOnce)
  return (c, next) => {
    const { actor } = c.var
    return turn(actor === undefined ? `address ${networkOf(remoteAddress(c))}` : `account ${actor.id}`, async () => {
      // Nobody reads what is made for a connection that closed while it waited.
      if (c.env?.incoming?.socket.destroyed === true) throw new TooManyError(1)
      await next()
    })
  }
}
