import type { Context, Next } from 'hono'
import { concurrencyLimit } from '../limits/concurrency-limit.ts'
import type { HttpContext } from './http-context.ts'
import { TooManyError } from './http-error.ts'

/**
 * Returns Hono middleware that handles at most `atOnce` requests at once for each key that `ownerOf` returns, such as an account; it queues
 * the rest. Open event streams do not count. Throws 429 if the client disconnected while queued.
 */
export function requestConcurrency<E extends HttpContext>(atOnce: number, ownerOf: (c: Context<E>) => string) {
  const turn = concurrencyLimit(atOnce)
  return (c: Context<E>, next: Next): Promise<void> =>
    turn(ownerOf(c), async () => {
      if (c.env?.incoming?.socket.destroyed === true) throw new TooManyError(1)
      await next()
    })
}
