import type { Context, MiddlewareHandler } from 'hono'
import type { LogQueue } from '../operations/logs/log-queue.ts'
import { partsOfRoutes, redactedPath, requestEntry } from '../operations/logs/request-entry.ts'
import type { Clock } from '../platform/clock.ts'
import { HttpError } from '../platform/http/http-error.ts'
import type { Collections } from '../records/model/collection.ts'
import type { RequestContext } from './requests/request-context.ts'
import type { RouteDeclaration } from './routing/define-route.ts'

type LogParts = {
  readonly queue: Pick<LogQueue, 'note'>
  readonly clock: Clock
  readonly collections: Collections
  readonly routes: readonly RouteDeclaration[]
}

/** Logs each request when its response has ended, and an event stream when it begins. */
export function logRequests({ queue, clock, collections, routes }: LogParts): MiddlewareHandler<RequestContext> {
  const names = collections.all.map(({ name }) => name)
  const redacted = redactedPath(new Set([...partsOfRoutes(routes.map(({ path }) => path)), ...names]))
  return async (c, next) => {
    const atMs = clock.now()
    const startedMs = performance.now()
    await next()
    const seen = { atMs, ...requestFields(c) }
    const note = (status: number, bytes: number | undefined): void =>
      queue.note(requestEntry({ ...seen, status, bytes, tookMs: performance.now() - startedMs }, redacted))
    const outgoing = c.env?.outgoing
    const isStream = c.res.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (outgoing === undefined || isStream) return note(c.res.status, undefined)
    const { socket } = outgoing
    const writtenBefore = socket?.bytesWritten ?? 0
    outgoing.once('close', () => note(c.res.status, socket === null ? undefined : socket.bytesWritten - writtenBefore))
  }
}

function requestFields(c: Context<RequestContext>) {
  const { proof, actor, address } = c.var
  const { pathname: path, search } = new URL(c.req.url)
  return {
    method: c.req.method,
    path,
    search,
    auth: proof?.collection.name ?? '',
    account: actor?.id ?? '',
    address,
    peer: c.env?.incoming?.socket.remoteAddress ?? '',
    referer: c.req.header('referer') ?? '',
    browser: c.req.header('user-agent') ?? '',
    refusal: refusalIn(c.error),
  }
}

/** The error message of a refused request. Unexpected errors are logged elsewhere. */
const refusalIn = (error: Error | undefined): string | undefined =>
  error instanceof HttpError && error.status < 500 ? error.message : undefined
