import type { Context, Next } from 'hono'
import { concurrencyLimit } from '../limits/concurrency-limit.ts'
import type { HttpContext } from './http-context.ts'
import { TooManyError } from './http-error.ts'

/**
 * Handles at most `atOnce` requests of an owner at once; others are queued. A response frees its slot when it is complete in memory, so
 * event streams and slow readers hold none. Throws 429 for a client that disconnected in the queue.
 */
export function requestConcurrency<E extends HttpContext>(atOnce: number, ownerOf: (c: Context<E>) => string) {
  const turn = concurrencyLimit(atOnce)
  return (c: Context<E>, next: Next): Promise<void> =>
    turn(ownerOf(c), async () => {
      if (c.env?.incoming?.socket.destroyed === true) throw new TooManyError(1)
      await next()
    })
}
