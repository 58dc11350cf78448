import { Hono } from 'hono'
import type { Log } from '../../log.ts'
import type { Collection, Collections } from '../../records/collection.ts'
import { blank, isEmail } from '../../records/field-check.ts'
import { badRequest, notFound, RecordError, type FieldError } from '../../records/record-error.ts'
import { readBody } from '../request-body.ts'
import type { Signed } from '../signed.ts'

/**
 * What needs mail or a provider, on a hub that has neither. A forgotten password is answered alike whether or not somebody has
 * that address; the operator reads in the log how to set a new one.
 */
export function authByMailRoute(collections: Collections, log: Log): Hono<Signed> {
  const find = (nameOrId: string): Collection => {
    const collection = collections.find(nameOrId)
    if (collection === undefined) throw notFound('Missing or invalid collection context.')
    if (collection.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
    return collection
  }
  const off = (method: string): RecordError => new RecordError(403, `The collection is not configured to allow ${method} authentication.`)

  return new Hono<Signed>()
    .post('/api/collections/:collection/request-password-reset', async (c) => {
      find(c.req.param('collection'))
      const { email } = await readBody(c)
      const wrong = checkEmail(typeof email === 'string' ? email : '')
      if (wrong !== undefined) throw badRequest('An error occurred while validating the submitted data.', { email: wrong })
      log.info('password reset asked for; this hub sends no mail, set it with: vedette user password EMAIL --password-stdin')
      return c.body(null, 204)
    })
    .post('/api/collections/:collection/:action{request-otp|auth-with-otp}', (c) => {
      find(c.req.param('collection'))
      throw off('OTP')
    })
    .post('/api/collections/:collection/auth-with-oauth2', (c) => {
      find(c.req.param('collection'))
      throw off('OAuth2')
    })
}

function checkEmail(email: string): FieldError | undefined {
  if (email === '') return blank
  return isEmail(email) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' }
}
