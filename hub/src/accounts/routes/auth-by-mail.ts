import { Hono, type Context } from 'hono'
import { ownValue } from '@vedette/protocol/own-value'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { elsewhere, signInFirst, TooManyAttemptsError } from '../auth.ts'
import { mailedLinks, refuseProblems } from '../mailed-links.ts'
import type { Log } from '../../platform/log.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { blank, isEmail } from '../../records/model/field-check.ts'
import { badRequest, type FieldError } from '../../records/model/record-error.ts'
import { asText } from '../../records/model/record-row.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { identified, remoteAddress, signedIn, type RequestContext } from '../../http/requests/request-context.ts'
import { languageOf } from '../../http/requests/visitor.ts'
import { readCredentials, unreadable } from './auth.ts'

type Parts = {
  readonly engine: Engine
  readonly accounts: Accounts
  /** Guesses of passwords. */
  readonly attempts: Attempts
  /** Letters asked for. */
  readonly requests: Attempts
  readonly log: Log
}

/**
 * What is done by mailed links. Asking for one is answered alike, in the same time, whether or not somebody has that address:
 * whose it is comes out when the letter is made. On a hub without mail the operator reads in the log how to set a password.
 */
export function authByMailRoute({ engine, accounts, attempts, requests, log }: Parts): Hono<RequestContext> {
  const find = (c: Context<RequestContext>): Collection => authCollection(engine, c.req.param('collection') ?? '')
  const links = mailedLinks(engine, accounts.tokens, attempts)

  /** The address that was sent. Throws 400 for none and for what is no text, 429 for too many of them. */
  async function askedAddress(c: Context<RequestContext>, field: string): Promise<string> {
    const sent = ownValue(await readCredentials(c), field) ?? ''
    if (typeof sent !== 'string') throw unreadable()
    refuseProblems({ [field]: wrongEmail(sent) })
    countRequest(requests, remoteAddress(c), sent)
    return sent
  }

  async function askForReset(c: Context<RequestContext>, collection: string): Promise<Response> {
    const email = await askedAddress(c, 'email')
    if (await accounts.sendsMail()) await accounts.write({ kind: 'password-reset', collection, email, ...languageOf(c) })
    else log.info('password reset asked for; this hub sends no mail, set it with: vedette user password EMAIL --password-stdin')
    return c.body(null, 204)
  }

  async function reset(c: Context<RequestContext>, collection: Collection): Promise<Response> {
    await links.resetPassword(collection, await texts(c))
    return c.body(null, 204)
  }

  /** Mails a link to another address, which confirms it. Throws 400 for one that is the same or taken. */
  async function askForChange(c: Context<RequestContext>, account: StoredRecord): Promise<void> {
    const sent = (await readTexts(c))['newEmail']
    const newEmail = typeof sent === 'string' ? sent : ''
    refuseProblems({ newEmail: wrongEmail(newEmail) ?? (newEmail === account['email'] ? inList : undefined) })
    const taken = (await engine.store.loadWhere('users', { email: newEmail })).length > 0
    refuseProblems({ newEmail: taken ? wrong('validation_invalid_new_email', 'Invalid new email address.') : undefined })
    countRequest(requests, remoteAddress(c), newEmail)
    if (!(await accounts.sendsMail()))
      throw badRequest('This hub sends no mail that could confirm the new address; an admin can change it.')
    await accounts.write({ kind: 'email-change', account: account.id, newEmail, ...languageOf(c) })
  }

  return new Hono<RequestContext>()
    .get('/api/vedette/sign-in', async (c) => c.json({ mail: await accounts.sendsMail() }))
    .post('/api/collections/:collection/request-password-reset', (c) => askForReset(c, find(c).name))
    .post('/api/admins/request-password-reset', (c) => askForReset(c, '_superusers'))
    .post('/api/collections/:collection/confirm-password-reset', (c) => reset(c, find(c)))
    .post('/api/admins/confirm-password-reset', (c) => reset(c, authCollection(engine, '_superusers')))
    .post('/api/collections/:collection/request-verification', async (c) => {
      const collection = find(c)
      if (collection.viewOf !== undefined) throw badRequest('All superusers are verified by default.')
      const email = await askedAddress(c, 'email')
      await accounts.write({ kind: 'verification', collection: collection.name, email, ...languageOf(c) })
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/confirm-verification', async (c) => {
      await links.verify(find(c), (await texts(c)).token)
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/request-email-change', async (c) => {
      const collection = find(c)
      const known = identified(c)
      if (known === undefined) throw signInFirst()
      if (known.proof.collection !== collection) throw elsewhere(known.proof)
      if (collection.viewOf !== undefined) throw badRequest('All superusers can change their emails directly.')
      await askForChange(c, known.actor)
      return c.body(null, 204)
    })
    .post('/api/account/email', async (c) => {
      await askForChange(c, signedIn(c).actor)
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/confirm-email-change', async (c) => {
      await links.changeEmail(find(c), await texts(c), remoteAddress(c))
      return c.body(null, 204)
    })
}

/** Throws 429 for too many letters asked for, by somebody or to somebody; alike for addresses that nobody has. */
export function countRequest(requests: Attempts, address: string, email: string): void {
  const { waitSeconds } = requests.begin({ address, account: email })
  if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
}

const wrong = (code: string, message: string): FieldError => ({ code, message })
const inList = wrong('validation_not_in_invalid', 'Must not be in list.')

export function wrongEmail(email: string): FieldError | undefined {
  if (email === '') return blank
  return isEmail(email) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' }
}

async function texts(
  c: Context<RequestContext>,
): Promise<{ readonly token: string; readonly password: string; readonly passwordConfirm: string }> {
  const { token = '', password = '', passwordConfirm = '' } = await readTexts(c)
  return { token: asText(token), password: asText(password), passwordConfirm: asText(passwordConfirm) }
}
