import type { Context } from 'hono'
import type { SignedInCaller, Proof } from '../../accounts/auth.ts'
import { underscoredHeaders, type RequestFacts } from '../../records/filter/filter-names.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { HttpContext } from '../../platform/http/http-context.ts'
import { isLoopback } from '../../platform/network/ip-address.ts'
import type { Actor } from '../../records/model/stored-record.ts'
import type { RemoteClient } from '../../accounts/sessions/proofs.ts'
import { preferredLanguage, type Language } from '../../delivery/mail/email.ts'

/**
 * Hono context of a request, with the values that middleware sets: `actor` is the signed-in account, `proof` its session or API key, both
 * `undefined` for a guest. `hasWrongKey`: the API key is unknown, expired or revoked.
 */
export type RequestContext = HttpContext & { Variables: { actor: Actor; proof: Proof | undefined; hasWrongKey: boolean } }

/**
 * Returns the account (`actor`) of a request with a valid session or API key, and that session or key (`proof`). Returns `undefined` for a
 * guest.
 */
export function signedInCaller(c: Context<RequestContext>): SignedInCaller | undefined {
  const { actor, proof } = c.var
  return actor === undefined || proof === undefined ? undefined : { actor, proof }
}

/** Returns the IP address of a request's client, which a trusted proxy may forward in a header; `''` in a test without a port. */
export function remoteAddress(c: Context<RequestContext>): string {
  return c.var.address
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip', 'via']

/**
 * Returns true when the client is on this machine and connects directly. Any forwarding header makes this false, because a local proxy
 * serves remote clients.
 */
export function isFromHere(c: Context<RequestContext>): boolean {
  if (forwarding.some((name) => c.req.header(name) !== undefined)) return false
  return isLoopback(remoteAddress(c))
}

/**
 * Returns the facts of a request to which access rules and filters can refer, such as the account, method, query and headers. `body` adds
 * the fields of the request body.
 */
export function factsOf(c: Context<RequestContext>, body?: Body): RequestFacts {
  return {
    actor: c.var.actor,
    actorCollection: c.var.proof?.collection,
    keyScope: c.var.proof?.key?.scope,
    keyTags: c.var.proof?.key?.tags,
    early: c.var.proof?.type === 'admin',
    context: 'default',
    method: c.req.method,
    query: c.req.query(),
    headers: underscoredHeaders(c.req.header()),
    body,
  }
}

/**
 * Returns the data about the client of a sign-in request: IP address, browser (`User-Agent`), and `mfaId`. `mfaId` is the id of a completed
 * first factor, from the query or the body, or `''`.
 */
export function visitorOf(c: Context<RequestContext>, body: Body): RemoteClient {
  const { mfaId } = body
  const sent = c.req.query('mfaId') ?? (typeof mfaId === 'string' ? mfaId : '')
  return { address: remoteAddress(c), browser: c.req.header('user-agent') ?? '', mfaId: sent }
}

/**
 * Returns `{ language }` with the language that the request's `Accept-Language` header prefers; `{}` if the hub supports none of the
 * header's languages. Emails use it when the user has set none.
 */
export function languageOf(c: Context<RequestContext>): { readonly language?: Language } {
  const language = preferredLanguage(c.req.header('accept-language') ?? '')
  return language === undefined ? {} : { language }
}
