import type { Context, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { IncomingMessage } from 'node:http'
import type { ConnectionGuard } from './connection-guard.ts'
import type { HttpContext } from './http-context.ts'
import { HttpError, TooManyError } from './http-error.ts'

/** HTTP methods whose request body is ignored: GET and HEAD (RFC 9110, 9.3.1). */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD'])

type Received = { readonly mostBytes: number; readonly withinMs: number }

type Options<E extends HttpContext> = {
  /** Returns true when the request has no valid session or API key, so that the smaller limits for guests apply. */
  readonly isGuest: (c: Context<E>) => boolean
  /** Set of the paths of routes whose handlers stream the request body themselves, such as uploads. Their body is not read in advance. */
  readonly receivedByHandler: ReadonlySet<string>
}

/**
 * Returns Hono middleware that reads the request body before the route's handler runs, except for GET, HEAD and the paths in
 * `receivedByHandler`. Size limit and timeout are smaller for guests. Throws HTTP error 400 (incomplete), 408 (too slow), 413 (too large),
 * or 429 when the connection limits close the connection.
 */
export function receiveBody<E extends HttpContext>(connections: ConnectionGuard, { isGuest, receivedByHandler }: Options<E>) {
  const { limits } = connections
  const tooLarge = (): never => {
    throw new HttpError(413)
  }
  const inMemory = bodyLimit({ maxSize: limits.bodyBytes, onError: tooLarge })

  function receive(incoming: IncomingMessage, { mostBytes, withinMs }: Received): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const pieces: Buffer[] = []
    let bytes = 0
    const take = (piece: Buffer): void => {
      bytes += piece.length
      if (bytes > limits.bodyBytes) reject(new HttpError(413))
      // The rest of a body that is too large is received and dropped, because a client reads no response while it sends.
      if (bytes > mostBytes) pieces.length = 0
      else pieces.push(piece)
      connections.holdBytes(incoming, bytes > mostBytes ? 0 : bytes)
    }
    const finish = (): void => (bytes > mostBytes ? reject(new HttpError(413)) : resolve(Buffer.concat(pieces)))
    const fail = (): void => reject(new HttpError(400))
    const late = setTimeout(() => reject(new HttpError(408)), withinMs)
    const settle = connections.whileReceiving(incoming, () => reject(new TooManyError(1)))
    if (incoming.destroyed) fail()
    incoming.on('data', take).once('end', finish).once('error', fail).once('close', fail)
    return promise.finally(() => {
      clearTimeout(late)
      settle()
      incoming.off('data', take).off('end', finish).off('error', fail).off('close', fail)
    })
  }

  return async (c: Context<E>, next: Next): Promise<Response | void> => {
    if (receivedByHandler.has(c.req.path) || bodiless.has(c.req.method)) return next()
    const incoming = c.env?.incoming
    if (!(incoming instanceof IncomingMessage)) return inMemory(c, next)
    const guest = isGuest(c)
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytes) tooLarge()
    const body = await receive(incoming, {
      mostBytes: guest ? limits.guestBodyBytes : limits.bodyBytes,
      withinMs: guest ? limits.guestBodyMs : limits.bodyMs,
    })
    // The Hono adapter takes an already received body from `rawBody`.
    Object.assign(incoming, { rawBody: body })
    return next()
  }
}
