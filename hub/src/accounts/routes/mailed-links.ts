import type { Context } from 'hono'
import { z } from 'zod'
import { authCollection } from '../../http/requests/find-collection.ts'
import { signedInCaller, remoteAddress, type RequestContext, languageOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { texts } from '../../http/routing/field-schemas.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, type FieldError } from '../../records/model/record-error.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { elsewhere, signInFirst, TooManyAttemptsError } from '../auth.ts'
import { mailedLinks, refuseProblems } from '../mailed-links.ts'
import type { HeaderPart } from './auth.ts'
import { castText, credentials, email, INVALID } from './auth-bodies.ts'

type MailParts = {
  readonly engine: Engine
  readonly accounts: Pick<Accounts, 'sendsMail' | 'write'>
  /**
   * Rate limiter for requests that send an email, at most 20 a minute by network and account. `begin` counts a request, apart from password
   * attempts.
   */
  readonly requests: Attempts
}
type LinkParts = { readonly engine: Engine; readonly accounts: Pick<Accounts, 'tokens'>; readonly attempts: Attempts }

const readSignIn = defineRoute('GET /api/vedette/sign-in', {
  tag: 'sign-in',
  summary: 'Whether this hub sends mail, and whether a proxy sent the sign-in header with this request',
  access: 'anyone',
  response: z.object({ mail: z.boolean(), header: z.boolean() }),
  async handle({ c }, { accounts, signInHeader: header }: HeaderPart & { readonly accounts: Pick<Accounts, 'sendsMail'> }) {
    const incoming = c.env?.incoming
    return { mail: await accounts.sendsMail(), header: incoming !== undefined && header?.isSentIn(incoming) === true }
  },
})

/**
 * Declaration of a request body with one email address, to which the hub may send a link. Responses do not reveal whether an account has
 * that address.
 */
const addressBody = credentials(z.object({ email }), z.object({ email: z.string().nullish() }))

const resetRequests = (['/api/collections/:collection/request-password-reset', '/api/admins/request-password-reset'] as const).map((path) =>
  defineRoute(`POST ${path}`, {
    tag: 'sign-in',
    summary: 'Mails a link to set a new password',
    access: 'anyone',
    body: addressBody,
    invalid: INVALID,
    response: 'nothing',
    async handle({ c, body }, { engine, accounts, requests, log }: MailParts & { readonly log: Log }) {
      const collection = authCollection(engine, c.req.param('collection') ?? '_superusers').name
      const sent = await body()
      await countRequest(requests, remoteAddress(c), sent.email)
      if (await accounts.sendsMail()) await accounts.write({ kind: 'password-reset', collection, email: sent.email, ...languageOf(c) })
      else
        log.info(
          'password reset requested, but this hub sends no email; set the password with: vedette user password EMAIL --password-stdin',
        )
    },
  }),
)

const resetBody = texts(z.object({ token: castText, password: castText, passwordConfirm: castText }))

const resetConfirmations = (['/api/collections/:collection/confirm-password-reset', '/api/admins/confirm-password-reset'] as const).map(
  (path) =>
    defineRoute(`POST ${path}`, {
      tag: 'sign-in',
      summary: 'Sets a new password with the token of a mailed link',
      access: { door: 'anyone', decidedBy: 'the mailed token' },
      body: resetBody,
      response: 'nothing',
      async handle({ c, body }, { engine, accounts, attempts }: LinkParts) {
        const collection = authCollection(engine, c.req.param('collection') ?? '_superusers')
        await mailedLinks(engine, accounts.tokens, attempts).resetPassword(collection, await body())
      },
    }),
)

const requestVerification = defineRoute('POST /api/collections/:collection/request-verification', {
  tag: 'sign-in',
  summary: 'Mails a link that verifies an email address',
  access: 'anyone',
  body: addressBody,
  invalid: INVALID,
  response: 'nothing',
  async handle({ c, params, body }, { engine, accounts, requests }: MailParts) {
    const collection = authCollection(engine, params.collection)
    if (collection.viewOf !== undefined) throw badRequest('All superusers are verified by default.')
    const sent = await body()
    await countRequest(requests, remoteAddress(c), sent.email)
    await accounts.write({ kind: 'verification', collection: collection.name, email: sent.email, ...languageOf(c) })
  },
})

const confirmVerification = defineRoute('POST /api/collections/:collection/confirm-verification', {
  tag: 'sign-in',
  summary: 'Verifies an email address with the token of a mailed link',
  access: { door: 'anyone', decidedBy: 'the mailed token' },
  body: texts(z.object({ token: castText })),
  response: 'nothing',
  async handle({ params, body }, { engine, accounts, attempts }: LinkParts) {
    const collection = authCollection(engine, params.collection)
    await mailedLinks(engine, accounts.tokens, attempts).verify(collection, (await body()).token)
  },
})

const newEmailBody = texts(z.object({ newEmail: email }))

const requestEmailChange = defineRoute('POST /api/collections/:collection/request-email-change', {
  tag: 'sign-in',
  summary: 'Mails a link to a new email address of the account, which confirms it',
  access: { door: 'anyone', decidedBy: 'the session, which must be one of this collection' },
  body: newEmailBody,
  invalid: INVALID,
  response: 'nothing',
  async handle({ c, params, body }, parts: MailParts) {
    const collection = authCollection(parts.engine, params.collection)
    const known = signedInCaller(c)
    if (known === undefined) throw signInFirst()
    if (known.proof.collection !== collection) throw elsewhere(known.proof)
    if (collection.viewOf !== undefined) throw badRequest('All superusers can change their emails directly.')
    await mailEmailChange(c, parts, known.actor, (await body()).newEmail)
  },
})

const requestOwnEmailChange = defineRoute('POST /api/account/email', {
  tag: 'sign-in',
  summary: "Mails a link to a new email address of the caller's, which confirms it",
  access: 'signed in',
  body: newEmailBody,
  invalid: INVALID,
  response: 'nothing',
  async handle({ c, actor, body }, parts: MailParts) {
    await mailEmailChange(c, parts, actor, (await body()).newEmail)
  },
})

const confirmEmailChange = defineRoute('POST /api/collections/:collection/confirm-email-change', {
  tag: 'sign-in',
  summary: 'Changes the email address with the token of a mailed link',
  access: { door: 'anyone', decidedBy: 'the mailed token and the password' },
  body: texts(z.object({ token: castText, password: castText })),
  response: 'nothing',
  async handle({ c, params, body }, { engine, accounts, attempts }: LinkParts) {
    const collection = authCollection(engine, params.collection)
    await mailedLinks(engine, accounts.tokens, attempts).changeEmail(collection, await body(), remoteAddress(c))
  },
})

/**
 * List of the HTTP routes of links in emails: they send the emails and carry out password reset, verification and change of the email
 * address.
 */
export const mailedLinkRoutes = [
  readSignIn,
  ...resetRequests,
  ...resetConfirmations,
  requestVerification,
  confirmVerification,
  requestEmailChange,
  requestOwnEmailChange,
  confirmEmailChange,
]

/**
 * Queues the email that confirms a new email address. Throws 400 if the address is the account's own or taken, or the hub cannot send
 * email; 429 after too many requests.
 */
async function mailEmailChange(
  c: Context<RequestContext>,
  { engine, accounts, requests }: MailParts,
  account: StoredRecord,
  newEmail: string,
): Promise<void> {
  refuseProblems({ newEmail: newEmail === account['email'] ? inList : undefined })
  const taken = (await engine.store.loadWhere('users', { email: newEmail })).length > 0
  refuseProblems({ newEmail: taken ? wrong('validation_invalid_new_email', 'Invalid new email address.') : undefined })
  await countRequest(requests, remoteAddress(c), newEmail)
  if (!(await accounts.sendsMail())) throw badRequest('This hub sends no mail that could confirm the new address; an admin can change it.')
  await accounts.write({ kind: 'email-change', account: account.id, newEmail, ...languageOf(c) })
}

/**
 * Counts a request for an email by client address, and by the email address in the request (`sent`), whether or not an account has it.
 * Throws 429 above 20 a minute for both together, or above the limits of `signInAttempts` for one of them.
 */
export async function countRequest(requests: Attempts, address: string, sent: string): Promise<void> {
  const { waitSeconds } = await requests.begin({ address, account: sent })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
}

const wrong = (code: string, message: string): FieldError => ({ code, message })
const inList = wrong('validation_not_in_invalid', 'Must not be in list.')
