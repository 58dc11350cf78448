import { Hono, type Context } from 'hono'
import { elsewhere, signInFirst } from '../../auth/auth.ts'
import type { Log } from '../../log.ts'
import type { Collection } from '../../records/collection.ts'
import type { Engine } from '../../records/engine.ts'
import { blank, isEmail } from '../../records/field-check.ts'
import { badRequest, RecordError, type FieldError, type FieldErrors } from '../../records/record-error.ts'
import { asText } from '../../records/record-row.ts'
import type { Body } from '../../records/sent-values.ts'
import { authCollection } from '../find-collection.ts'
import { readTexts } from '../request-body.ts'
import { identified, type Signed } from '../signed.ts'

/**
 * What needs mail or a provider, on a hub that has neither. What is wrong with a request is told as ever, and no confirmation is
 * good, since none was sent. A forgotten password is answered alike whether or not somebody has that address; the operator reads
 * in the log how to set a new one.
 */
export function authByMailRoute(engine: Engine, log: Log): Hono<Signed> {
  const find = (c: Context<Signed>): Collection => authCollection(engine, c.req.param('collection') ?? '')
  const off = (method: string): RecordError => new RecordError(403, `The collection is not configured to allow ${method} authentication.`)

  return new Hono<Signed>()
    .post('/api/collections/:collection/request-password-reset', async (c) => {
      find(c)
      refuse({ email: wrongEmail(await sentText(c, 'email')) })
      log.info('password reset asked for; this hub sends no mail, set it with: vedette user password EMAIL --password-stdin')
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/confirm-password-reset', async (c) => {
      find(c)
      throw await noReset(c)
    })
    .post('/api/admins/confirm-password-reset', async (c) => {
      throw await noReset(c)
    })
    .post('/api/collections/:collection/request-verification', async (c) => {
      if (find(c).viewOf !== undefined) throw badRequest('All superusers are verified by default.')
      refuse({ email: wrongEmail(await sentText(c, 'email')) })
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/confirm-verification', async (c) => {
      find(c)
      const { token } = await texts(c)
      throw refusal({ token: token === '' ? blank : wrong('validation_invalid_token_claims', 'Missing email token claim.') })
    })
    .post('/api/collections/:collection/request-email-change', async (c) => {
      const collection = find(c)
      const known = identified(c)
      if (known === undefined) throw signInFirst()
      if (known.proof.collection !== collection) throw elsewhere(known.proof)
      if (collection.viewOf !== undefined) throw badRequest('All superusers can change their emails directly.')
      const newEmail = await sentText(c, 'newEmail')
      refuse({ newEmail: wrongEmail(newEmail) ?? (newEmail === known.actor['email'] ? inList : undefined) })
      const taken = (await engine.store.loadWhere(collection.name, { email: newEmail })).length > 0
      refuse({ newEmail: taken ? wrong('validation_invalid_new_email', 'Invalid new email address.') : undefined })
      throw badRequest('This hub sends no mail that could confirm the new address; an admin can change it.')
    })
    .post('/api/collections/:collection/confirm-email-change', async (c) => {
      find(c)
      const { token, password } = await texts(c)
      throw refusal({
        token: token === '' ? blank : wrong('validation_invalid_token_payload', 'Invalid token payload - newEmail must be set.'),
        password: password === '' ? blank : wrong('validation_invalid_password', 'Missing or invalid auth record password.'),
      })
    })
    .post('/api/collections/:collection/:action{request-otp|auth-with-otp}', (c) => {
      find(c)
      throw off('OTP')
    })
    .post('/api/collections/:collection/auth-with-oauth2', (c) => {
      find(c)
      throw off('OAuth2')
    })
    .on(['GET', 'POST'], '/api/oauth2-redirect', (c) => {
      // Nobody waits for a provider here, whatever state is shown.
      return c.redirect('../_/#/auth/oauth2-redirect-failure', c.req.method === 'POST' ? 303 : 307)
    })
}

/** No link was mailed that could be good for a new password. */
async function noReset(c: Context<Signed>): Promise<RecordError> {
  const { token, password, passwordConfirm } = await texts(c)
  return refusal({
    token: token === '' ? blank : wrong('validation_invalid_token', 'Invalid or expired token.'),
    password: password === '' ? blank : wrongLength(password),
    passwordConfirm: passwordConfirm === '' ? blank : passwordConfirm === password ? undefined : mismatch,
  })
}

const SHORTEST = 8
const LONGEST = 255

const wrong = (code: string, message: string): FieldError => ({ code, message })
const mismatch = wrong('validation_values_mismatch', "Values don't match.")
const inList = wrong('validation_not_in_invalid', 'Must not be in list.')

function wrongLength(password: string): FieldError | undefined {
  const length = Array.from(password).length
  if (length >= SHORTEST && length <= LONGEST) return undefined
  const message = `The length must be between ${SHORTEST} and ${LONGEST}.`
  return { code: 'validation_length_out_of_range', message, params: { max: LONGEST, min: SHORTEST } }
}

function wrongEmail(email: string): FieldError | undefined {
  if (email === '') return blank
  return isEmail(email) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' }
}

/** Throws 400 with what is wrong, if anything is. */
function refuse(errors: Errors): void {
  if (Object.values(errors).some((error) => error !== undefined)) throw refusal(errors)
}

type Errors = { readonly [field: string]: FieldError | undefined }

function refusal(errors: Errors): RecordError {
  const found: FieldErrors = Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]])),
  )
  return badRequest('An error occurred while validating the submitted data.', found)
}

async function texts(c: Context<Signed>): Promise<{ readonly token: string; readonly password: string; readonly passwordConfirm: string }> {
  const body: Body = await readTexts(c)
  const { token = '', password = '', passwordConfirm = '' } = body
  return { token: asText(token), password: asText(password), passwordConfirm: asText(passwordConfirm) }
}

async function sentText(c: Context<Signed>, field: string): Promise<string> {
  const sent = (await readTexts(c))[field]
  return typeof sent === 'string' ? sent : ''
}
