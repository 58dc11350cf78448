import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { Accounts } from '../accounts/accounts.ts'
import { hasKeyPrefix, TooManyAttemptsError } from '../accounts/auth.ts'
import type { LogQueue } from '../operations/logs/log-queue.ts'
import { setClientAddress } from '../platform/http/client-address.ts'
import { compressJson } from '../platform/http/compress.ts'
import type { ConnectionGuard } from '../platform/http/connection-guard.ts'
import { receiveBody } from '../platform/http/receive-body.ts'
import { requestConcurrency } from '../platform/http/request-concurrency.ts'
import { responseHeaders } from '../platform/http/response-headers.ts'
import type { RateLimiter } from '../platform/limits/rate-limiter.ts'
import { rateLabels } from '../platform/limits/rate-rules.ts'
import type { Log } from '../platform/log.ts'
import { networkOf } from '../platform/network/ip-address.ts'
import type { Engine } from '../records/engine/engine.ts'
import { isAdmin } from '../records/model/stored-record.ts'
import type { Collections } from '../records/model/collection.ts'
import { badRequest, notFound } from '../records/model/record-error.ts'
import { DOCUMENTS } from './documents.ts'
import type { RequestAdmission } from './requests/request-admission.ts'
import { errorResponse } from './requests/error-response.ts'
import { remoteAddress, type RequestContext } from './requests/request-context.ts'
import { mountRoutes, type Route, type RouteDeclaration } from './routing/define-route.ts'
import { partsOfRoutes, redactedPath, requestEntry } from '../operations/logs/request-entry.ts'
import type { Clock } from '../platform/clock.ts'
import { HttpError } from '../platform/http/http-error.ts'

export type AppParts = {
  readonly engine: Engine
  readonly accounts: Pick<Accounts, 'auth'>
  readonly admission: RequestAdmission
  readonly log: Log
  /** In-memory queue of the hub's log entries, which are stored in the database in batches. Each HTTP request adds one entry. */
  readonly logQueue: LogQueue
  /**
   * Handler of every GET and HEAD request outside the API, which responds with the dashboard's files. `undefined` when no dashboard was
   * built.
   */
  readonly dashboard: ((context: Context) => Promise<Response>) | undefined
  /** Handler of every GET and HEAD request at `/docs` and below. `undefined` when no documents were built. */
  readonly documents: ((context: Context) => Promise<Response>) | undefined
}

/**
 * Builds the hub's Hono app: it adds the middleware in order, then the routes. The app also works without a listening server, as in tests
 * that call `app.request`.
 */
export function httpApp<Parts extends AppParts>(routes: readonly Route<Parts>[], parts: Parts): Hono<RequestContext> {
  const { engine, admission, dashboard, documents } = parts
  const { connections, limiter, addressOf } = admission
  const app = new Hono<RequestContext>()
  app.onError(errorResponse(parts.log))
  app.use(logRequests({ queue: parts.logQueue, clock: engine.clock, collections: engine.collections, routes }))
  app.use(setClientAddress(addressOf))
  app.use(responseHeaders)
  app.use('/api/*', compressJson)
  for (const path of ['/api/*', '/metrics']) {
    app.use(path, refuseNul)
    app.use(path, authenticate(parts.accounts.auth, connections))
    app.use(path, limitRate(limiter, engine.collections))
  }
  // After authentication, because guests have lower limits. Before the concurrency limit, so that a slow sender holds no slot.
  app.use(receiveBody(connections, { isGuest, receivedByHandler: pathsThatReceive(routes) }))
  app.use(requestConcurrency(connections.limits.requestsAtOnce, ownerOf))
  mountRoutes(app, routes, parts)
  // Hono's pattern also matches `/docs` itself.
  if (documents !== undefined) app.get(`${DOCUMENTS}*`, documents)
  if (dashboard !== undefined) app.get('*', dashboard)
  app.notFound(() => {
    throw notFound()
  })
  return app
}

/**
 * Regular expression that finds U+0000 in a URL, as `%00` or raw. Such requests are refused, because databases cannot store it in texts.
 */
const NUL = /%00|\0/

const refuseNul: MiddlewareHandler<RequestContext> = async (c, next) => {
  if (NUL.test(c.req.url)) throw badRequest()
  await next()
}

/**
 * Creates the middleware that identifies the user of a request by the token or API key in its `Authorization` header, with or without
 * `Bearer`. An invalid token makes the request a guest's. An invalid API key also sets `hasWrongKey`, upon which every route responds with
 * 401.
 */
function authenticate(auth: Accounts['auth'], { proveAccount }: Pick<ConnectionGuard, 'proveAccount'>): MiddlewareHandler<RequestContext> {
  return async (c, next) => {
    const token = (c.req.header('authorization') ?? '').replace(/^bearer /i, '')
    const identified = token === '' ? undefined : await auth.identify(token)
    const incoming = c.env?.incoming
    if (identified !== undefined && incoming !== undefined) proveAccount(incoming, identified.actor.id)
    c.set('actor', identified?.actor)
    c.set('proof', identified?.proof)
    c.set('hasWrongKey', hasKeyPrefix(token) && identified === undefined)
    await next()
  }
}

/**
 * Creates the middleware that throws 429 for requests that exceed the rate limits in the settings. Admins are exempt, because they may have
 * to correct these limits.
 */
function limitRate(limiter: RateLimiter, collections: Collections): MiddlewareHandler<RequestContext> {
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

const isGuest = (c: Context<RequestContext>): boolean => c.var.actor === undefined

/**
 * Returns the key by which concurrent requests of one client are counted: `account ID`, or for a guest `address NETWORK` (IPv4 address or
 * IPv6 /64).
 */
const ownerOf = (c: Context<RequestContext>): string =>
  c.var.actor === undefined ? `address ${networkOf(remoteAddress(c))}` : `account ${c.var.actor.id}`

const pathsThatReceive = (routes: readonly Route<never>[]): ReadonlySet<string> =>
  new Set(routes.filter(({ receivesBody }) => receivesBody === true).map(({ path }) => path))

type LogParts = {
  readonly queue: Pick<LogQueue, 'note'>
  readonly clock: Clock
  readonly collections: Collections
  readonly routes: readonly RouteDeclaration[]
}

/**
 * Returns Hono middleware that adds one entry to the hub's log for each request. It does so when the response has ended; for an event
 * stream, when the stream begins.
 */
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

/**
 * Returns the message of an error for the log entry of its request, if the response has a status below 500. `undefined` for any other
 * error, which is logged separately with its stack.
 */
const refusalIn = (error: Error | undefined): string | undefined =>
  error instanceof HttpError && error.status < 500 ? error.message : undefined
