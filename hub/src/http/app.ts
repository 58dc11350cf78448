import { Hono, type Context } from 'hono'
import type { LogQueue } from '../operations/logs/log-queue.ts'
import { notFound } from '../records/model/record-error.ts'
import { answerHeaders } from './answer-headers.ts'
import { authenticate } from './authenticate.ts'
import { learnAddress } from './connections/client-address.ts'
import { compressJson } from './requests/compress.ts'
import { limitRequests } from './limit-requests.ts'
import { noteRequests } from './note-requests.ts'
import { receiveBody } from './receive-body.ts'
import { refuseUnfitAddress } from './refuse-unfit.ts'
import { errorResponse } from './requests/respond.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { Log } from '../platform/log.ts'
import type { RequestAdmission } from './connections/request-admission.ts'

import { mountRoutes, type Route } from './routing/define-route.ts'
import type { RequestContext } from './requests/request-context.ts'
import { requestConcurrency } from './request-concurrency.ts'

export type AppParts = {
  readonly engine: Engine
  readonly accounts: Pick<Accounts, 'auth'>
  readonly admission: RequestAdmission
  readonly log: Log
  /** Keeps an entry of each request. */
  readonly logQueue: LogQueue
  /** Answers every GET outside the API; undefined when no dashboard was built. */
  readonly dashboard: ((context: Context) => Promise<Response>) | undefined
}

/** The hub's answers, without a port. */
export function httpApp<Parts extends AppParts>(routes: readonly Route<Parts>[], parts: Parts): Hono<RequestContext> {
  const app = new Hono<RequestContext>()
  app.onError(errorResponse(parts.log))
  const names = parts.engine.collections.all.map(({ name }) => name)
  app.use(noteRequests({ queue: parts.logQueue, clock: parts.engine.clock, names, app }))
  app.use(learnAddress(parts.admission.addressOf))
  app.use(answerHeaders)
  app.use('/api/*', compressJson)
  app.use('/api/*', refuseUnfitAddress)
  const { connections, limiter } = parts.admission
  app.use('/api/*', authenticate(parts.accounts.auth, connections))
  app.use('/api/*', limitRequests(limiter, parts.engine.collections))
  // After the session is known: a guest may send less, and slower clients wait for nobody's body.
  app.use(receiveBody(connections, new Set(routes.filter(({ receivesBody }) => receivesBody === true).map(({ path }) => path))))
  app.use(requestConcurrency(connections.limits.requestsAtOnce))
  mountRoutes(app, routes, parts)
  const { dashboard } = parts
  if (dashboard !== undefined) app.get('*', dashboard)
  app.notFound(() => {
    throw notFound()
  })
  return app
}
