import type { Context, Hono, MiddlewareHandler } from 'hono'
import type { Clock } from '../platform/clock.ts'
import type { LogQueue } from '../operations/logs/log-queue.ts'
import { requestEntry } from '../operations/logs/request-entry.ts'
import { partsOfRoutes, redactedPath, type RedactedPath } from '../operations/logs/redacted-path.ts'
import { RecordError } from '../records/model/record-error.ts'
import type { RequestContext } from './requests/request-context.ts'

type NoteParts = {
  readonly queue: Pick<LogQueue, 'note'>
  readonly clock: Clock
  /** Names of collections. */
  readonly names: readonly string[]
  /** Whose routes are known. */
  readonly app: Pick<Hono<RequestContext>, 'routes'>
}

/** Tells the log of each request once it is answered: of a stream of events when it begins. */
export function noteRequests({ queue, clock, names, app }: NoteParts): MiddlewareHandler<RequestContext> {
  let shown: RedactedPath | undefined
  return async (c, next) => {
    const atMs = clock.now()
    const begunMs = performance.now()
    await next()
    const seen = { atMs, ...seenOf(c) }
    const note = (status: number, bytes: number | undefined): void => {
      shown ??= redactedPath(new Set([...partsOfRoutes(app.routes.map((route) => route.path)), ...names]))
      queue.note(requestEntry({ ...seen, status, bytes, tookMs: performance.now() - begunMs }, shown))
    }
    const outgoing = c.env?.outgoing
    const isStream = c.res.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (outgoing === undefined || isStream) return note(c.res.status, undefined)
    const { socket } = outgoing
    const writtenBefore = socket?.bytesWritten ?? 0
    outgoing.once('close', () => note(c.res.status, socket === null ? undefined : socket.bytesWritten - writtenBefore))
  }
}

/** What of a request is known when it was handled. */
function seenOf(c: Context<RequestContext>) {
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

/** What somebody was refused with; what nobody expected is in the log already. */
const refusalIn = (error: Error | undefined): string | undefined =>
  error instanceof RecordError && error.status < 500 ? error.message : undefined
