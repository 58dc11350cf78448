import type { Context } from 'hono'
import type { RemoteClient } from '../../accounts/sessions/proofs.ts'
import { spokenLanguage, type Language } from '../../delivery/mail/message.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { remoteAddress, type RequestContext } from './request-context.ts'

/** The client of a sign-in request. The official client sends the id of the first factor in the query, others in the body. */
export function visitorOf(c: Context<RequestContext>, body: Body): RemoteClient {
  const { mfaId } = body
  const sent = c.req.query('mfaId') ?? (typeof mfaId === 'string' ? mfaId : '')
  return { address: remoteAddress(c), browser: c.req.header('user-agent') ?? '', mfaId: sent }
}

/** Language of the request's `Accept-Language` header. Emails use it when the user has set none. */
export function languageOf(c: Context<RequestContext>): { readonly language?: Language } {
  const language = spokenLanguage(c.req.header('accept-language') ?? '')
  return language === undefined ? {} : { language }
}
