import { Hono, type Context } from 'hono'
import type { Auth, Session } from '../../auth/auth.ts'
import type { Collection } from '../../records/collection.ts'
import type { Engine } from '../../records/engine.ts'
import { presentAsked } from '../../records/query.ts'
import { fieldPicker } from '../../records/pick-fields.ts'
import { badRequest, defaultMessages, notFound, RecordError } from '../../records/record-error.ts'
import type { Body } from '../../records/sent-values.ts'
import { readBody, readTexts } from '../request-body.ts'
import { factsOf } from '../request-facts.ts'
import { remoteAddress, type Signed } from '../signed.ts'

const off = { enabled: false, duration: 0 } as const

/** What one can sign in with. The last three are for older clients. */
const methods = {
  password: { enabled: true, identityFields: ['email'] },
  oauth2: { enabled: false, providers: [] },
  mfa: off,
  otp: off,
  usernamePassword: false,
  emailPassword: true,
  authProviders: [],
} as const

/** Signing in with a password, staying signed in, and what one can sign in with. */
export function authRoute(engine: Engine, auth: Auth): Hono<Signed> {
  const find = (nameOrId: string): Collection => {
    const collection = engine.collections.find(nameOrId)
    if (collection === undefined) throw notFound('Missing or invalid collection context.')
    return collection
  }

  /** A person sees their own record whole. */
  async function answer(c: Context<Signed>, collection: Collection, { record, token }: Session): Promise<Response> {
    const facts = { ...factsOf(c), actor: record }
    const { fields = '', ...query } = c.req.query()
    return c.json(fieldPicker(fields)({ record: await presentAsked(engine, { collection, facts }, record, query), token }))
  }

  return new Hono<Signed>()
    .get('/api/collections/:collection/auth-methods', (c) => {
      if (find(c.req.param('collection')).type !== 'auth') throw notFound('Missing or invalid auth collection context.')
      return c.json(fieldPicker(c.req.query('fields') ?? '')(methods))
    })
    .post('/api/collections/:collection/auth-with-password', async (c) => {
      const collection = find(c.req.param('collection'))
      return answer(c, collection, await auth.signIn(collection, await readCredentials(c), remoteAddress(c)))
    })
    .post('/api/collections/:collection/auth-refresh', async (c) => {
      const collection = find(c.req.param('collection'))
      const session = auth.refresh(collection, c.var.actor)
      await readBody(c)
      return answer(c, collection, session)
    })
}

async function readCredentials(c: Context<Signed>): Promise<Body> {
  try {
    return await readTexts(c)
  } catch (error) {
    if (error instanceof RecordError && error.message === defaultMessages[400]) {
      throw badRequest('An error occurred while loading the submitted data.')
    }
    throw error
  }
}
