import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { notFound, RecordError } from '../records/record-error.ts'
import { answerHeaders } from './answer-headers.ts'
import { authenticate } from './authenticate.ts'
import { learnAddress } from './client-address.ts'
import { compressJson } from './compress.ts'
import { limitRequests } from './limit-requests.ts'
import { noteRequests } from './note-requests.ts'
import { refuseUnfitAddress } from './refuse-unfit.ts'
import { errorResponse } from './respond.ts'
import { routes, type HttpParts } from './routes.ts'
import { UPLOAD_PATH } from './routes/backups.ts'
import type { Signed } from './signed.ts'

/** The largest request: a record with the largest JSON fields, with room for a form around it. */
const MOST_BODY_BYTES = 8 * 1024 * 1024

/** Nobody reads what comes with these (RFC 9110, 9.3.1). */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** The hub's answers, without a port. */
export function httpApp(parts: HttpParts): Hono<Signed> {
  const app = new Hono<Signed>()
  app.onError(errorResponse(parts.log))
  const names = parts.engine.collections.all.map(({ name }) => name)
  app.use(noteRequests({ queue: parts.logQueue, clock: parts.engine.clock, names, app }))
  app.use(learnAddress(parts.arrivals.proxies))
  app.use(answerHeaders)
  app.use('/api/*', compressJson)
  app.use('/api/*', refuseUnfitAddress)
  const limited = bodyLimit({
    maxSize: MOST_BODY_BYTES,
    onError: () => {
      throw new RecordError(413)
    },
  })
  // A backup that is brought back has a limit of its own; what brings no body is not made a whole request to look for one.
  app.use((c, next) => (c.req.path === UPLOAD_PATH || bodiless.has(c.req.method) ? next() : limited(c, next)))
  app.use('/api/*', authenticate(parts.accounts.auth))
  app.use('/api/*', limitRequests(parts.arrivals.limiter, parts.engine.collections))
  for (const route of routes(parts)) app.route('/', route)
  const { dashboard } = parts
  if (dashboard !== undefined) app.get('*', dashboard)
  app.notFound(() => {
    throw notFound()
  })
  return app
}
