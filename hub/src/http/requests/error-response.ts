import type { Context } from 'hono'
import { SecondProofNeeded } from '../../accounts/sessions/proofs.ts'
import { databaseFailure } from '../../platform/db/database-failures.ts'
import type { Log } from '../../platform/log.ts'
import { FilterError } from '../../records/filter/parse.ts'
import { MalformedFieldsError } from '../../records/presentation/present.ts'
import { errorBody, HttpError, TooManyError } from '../../platform/http/http-error.ts'
import type { RequestContext } from './request-context.ts'

/** Value of the header `Retry-After` in responses of the hub while its database is unreachable, in seconds (5). */
const AWAY_RETRY_SECONDS = 5

/**
 * Creates the error handler of the Hono app, the only code that turns errors into responses. An unexpected error is logged; its message is
 * not in the response.
 */
export function errorResponse(log: Log): (error: Error, c: Context<RequestContext>) => Response {
  return (error, c) => {
    if (error instanceof MalformedFieldsError) return new Response(null, { headers: { 'content-type': 'application/json' } })
    if (error instanceof SecondProofNeeded) return Response.json(secondProofBody(error), { status: 401 })
    const known = asHttpError(error)
    const failure = databaseFailure(error)
    if (failure === 'away') log.warn('database not reachable', { method: c.req.method, path: c.req.path, error })
    else if (known.status >= 500) log.error('request failed', { method: c.req.method, path: c.req.path, error })
    const headers = new Headers({ 'content-type': 'application/json' })
    if (error instanceof TooManyError) headers.set('retry-after', String(error.retryAfterSeconds))
    if (failure === 'away') headers.set('retry-after', String(AWAY_RETRY_SECONDS))
    return new Response(JSON.stringify(errorBody(known)), { status: known.status, headers })
  }
}

/**
 * Returns the body of the 401 response that requests a second factor: `mfaId`, and `factors` unless empty. Clients for older hubs read only
 * `mfaId`.
 */
const secondProofBody = ({ mfaId, factors }: SecondProofNeeded) => (factors.length === 0 ? { mfaId } : { mfaId, factors })

function asHttpError(error: Error): HttpError {
  if (error instanceof HttpError) return error
  const failure = databaseFailure(error)
  if (failure === 'away') return new HttpError(503, 'The database of this hub does not answer. Try again in a moment.')
  if (failure === 'full') return new HttpError(503, 'The disk of this hub is full: nothing can be saved until there is room again.')
  if (failure === 'too slow') return new HttpError(503, 'Answering this took too long. Ask for less.')
  return new HttpError(error instanceof FilterError ? 400 : 500)
}
