import type { Context } from 'hono'
import type { RequestFacts } from '../../records/filter/request-facts.ts'
import { underscored } from '../../records/realtime/realtime-topic.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { RequestContext } from './request-context.ts'

/** What rules and filters may know of a request. */
export function factsOf(c: Context<RequestContext>, body?: Body): RequestFacts {
  return {
    actor: c.var.actor,
    actorCollection: c.var.proof?.collection,
    early: c.var.proof?.type === 'admin',
    context: 'default',
    method: c.req.method,
    query: c.req.query(),
    headers: underscored(c.req.header()),
    body,
  }
}
