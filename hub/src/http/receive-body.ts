import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { IncomingMessage } from 'node:http'
import { badRequest, RecordError, TooManyError } from '../records/model/record-error.ts'
import type { ConnectionGuard } from './connections/connection-guard.ts'
import type { RequestContext } from './requests/request-context.ts'

/** Nobody reads what comes with these (RFC 9110, 9.3.1). */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD'])

type Received = { readonly mostBytes: number; readonly withinMs: number }

/**
 * Reads the body of a request before its handler runs, within a size and a time that depend on whether a session is valid.
 * Throws 413, 408, and 429 when the connection has to make place for newer ones.
 * `receivedByRoute`: paths whose route receives the body itself.
 */
export function receiveBody(connections: ConnectionGuard, receivedByRoute: ReadonlySet<string>): MiddlewareHandler<RequestContext> {
  const { limits } = connections
  const tooLarge = (): never => {
    throw new RecordError(413)
  }
  const inMemory = bodyLimit({ maxSize: limits.bodyBytes, onError: tooLarge })

  function receive(incoming: IncomingMessage, { mostBytes, withinMs }: Received): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const pieces: Buffer[] = []
    let bytes = 0
    const take = (piece: Buffer): void => {
      bytes += piece.length
      if (bytes > limits.bodyBytes) reject(new RecordError(413))
      // Clients that are still sending read no response: the rest of a body that is too large is received and dropped.
      if (bytes > mostBytes) pieces.length = 0
      else pieces.push(piece)
      connections.holdBytes(incoming, bytes > mostBytes ? 0 : bytes)
    }
    const finish = (): void => (bytes > mostBytes ? reject(new RecordError(413)) : resolve(Buffer.concat(pieces)))
    const fail = (): void => reject(badRequest())
    const late = setTimeout(() => reject(new RecordError(408)), withinMs)
    const settle = connections.whileReceiving(incoming, () => reject(new TooManyError(1)))
    if (incoming.destroyed) fail()
    incoming.on('data', take).once('end', finish).once('error', fail).once('close', fail)
    return promise.finally(() => {
      clearTimeout(late)
      settle()
      incoming.off('data', take).off('end', finish).off('error', fail).off('close', fail)
    })
  }

  return async (c, next) => {
    if (receivedByRoute.has(c.req.path) || bodiless.has(c.req.method)) return next()
    const incoming = c.env?.incoming
    if (!(incoming instanceof IncomingMessage)) return inMemory(c, next)
    const isGuest = c.var.actor === undefined
    const mostBytes = isGuest ? limits.guestBodyBytes : limits.bodyBytes
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bodyBytes) tooLarge()
    const body = await receive(incoming, { mostBytes, withinMs: isGuest ? limits.guestBodyMs : limits.bodyMs })
    // The adapter's way to pass on a body that was read already.
    Object.assign(incoming, { rawBody: body })
    return next()
  }
}
