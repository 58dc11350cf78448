import type { Context } from 'hono'
import type { Identified, Proof } from '../../accounts/auth.ts'
import { underscored, type RequestFacts } from '../../records/filter/filter-names.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { HttpContext } from '../../platform/http/http-context.ts'
import { isLoopback } from '../../platform/network/ip-address.ts'
import type { Actor } from '../../records/model/stored-record.ts'
import type { RemoteClient } from '../../accounts/sessions/proofs.ts'
import { preferredLanguage, type Language } from '../../delivery/mail/email.ts'

/** Values that the middleware sets before a handler runs. `address`: see {@link remoteAddress}. */
export type RequestContext = HttpContext & { Variables: { actor: Actor; proof: Proof | undefined } }

/** The caller and its session; `undefined` for a guest. */
export function identified(c: Context<RequestContext>): Identified | undefined {
  const { actor, proof } = c.var
  return actor === undefined || proof === undefined ? undefined : { actor, proof }
}

/** The client's address according to trusted proxies; `''` in a test without a port. */
export function remoteAddress(c: Context<RequestContext>): string {
  return c.var.address
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip', 'via']

/**
 * True when the client is on this machine and connects directly. A proxy on this machine serves remote clients, so any forwarding
 * header makes this false.
 */
export function isFromHere(c: Context<RequestContext>): boolean {
  if (forwarding.some((name) => c.req.header(name) !== undefined)) return false
  return isLoopback(remoteAddress(c))
}

/** Facts of a request that access rules and filters may use. */
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

/** The client of a sign-in request. The official client sends the id of the first factor in the query, others in the body. */
export function visitorOf(c: Context<RequestContext>, body: Body): RemoteClient {
  const { mfaId } = body
  const sent = c.req.query('mfaId') ?? (typeof mfaId === 'string' ? mfaId : '')
  return { address: remoteAddress(c), browser: c.req.header('user-agent') ?? '', mfaId: sent }
}

/** Language of the request's `Accept-Language` header. Emails use it when the user has set none. */
export function languageOf(c: Context<RequestContext>): { readonly language?: Language } {
  const language = preferredLanguage(c.req.header('accept-language') ?? '')
  return language === undefined ? {} : { language }
}
