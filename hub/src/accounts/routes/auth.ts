import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { Hono, type Context } from 'hono'
import type { Accounts } from '../accounts.ts'
import type { Session } from '../auth.ts'
import { doorOf, type SignInWays } from '../sessions/sign-in-settings.ts'
import type { Log } from '../../platform/log.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { presentAsked } from '../../records/reading/query.ts'
import { fieldPicker } from '../../records/presentation/pick-fields.ts'
import { badRequest, defaultMessages, notFound, RecordError } from '../../records/model/record-error.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import { textOf } from '../../records/model/stored-record.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readBody, readTexts } from '../../http/requests/request-body.ts'
import { factsOf } from '../../http/requests/request-facts.ts'
import { askedByAdmin, identified, signedIn, type RequestContext } from '../../http/requests/request-context.ts'
import { visitorOf } from '../../http/requests/visitor.ts'
import { offeredProviders } from './offered-providers.ts'

const off = { enabled: false, duration: 0 } as const

/** What one can sign in with. The last three are for older clients. */
const methodsOf = ({ password, otp, mfa }: SignInWays, providers: readonly JsonObject[]) => ({
  password: { enabled: password.enabled, identityFields: password.enabled ? ['email'] : [] },
  oauth2: { enabled: providers.length > 0, providers },
  mfa: mfa.enabled ? mfa : off,
  otp: otp.enabled ? { enabled: true, duration: otp.duration } : off,
  usernamePassword: false,
  emailPassword: password.enabled,
  authProviders: providers.length > 0 ? providers : null,
})

/** The client library of Python walks the last one without looking; nobody else is shown a list that other hubs do not have. */
const walksProviders = (c: Context<RequestContext>): boolean => /python/i.test(c.req.header('user-agent') ?? '')

/** What who signed in is told: a person sees their own record whole. */
export async function answerSession(
  c: Context<RequestContext>,
  engine: Engine,
  collection: Collection,
  { record, token, meta }: Session & { readonly meta?: JsonObject },
): Promise<Response> {
  const facts = { ...factsOf(c), actor: record }
  const { fields = '', ...query } = c.req.query()
  return c.json(
    fieldPicker(fields)({
      record: await presentAsked(engine, { collection, facts }, record, query),
      token,
      ...(meta === undefined ? {} : { meta }),
    }),
  )
}

/** Signing in with a password, staying signed in, acting as somebody, and what one can sign in with. */
export function authRoute(engine: Engine, accounts: Accounts, log: Log): Hono<RequestContext> {
  const { auth, ways } = accounts
  const answer = (c: Context<RequestContext>, collection: Collection, session: Session) => answerSession(c, engine, collection, session)

  return new Hono<RequestContext>()
    .get('/api/collections/:collection/auth-methods', async (c) => {
      const collection = authCollection(engine, c.req.param('collection'))
      const providers = collection.viewOf === undefined ? await offeredProviders(accounts, log) : []
      const methods = methodsOf((await ways.load())[doorOf(collection.name)], providers)
      const told = walksProviders(c) && providers.length === 0 ? { ...methods, authProviders: [] } : methods
      return c.json(fieldPicker(c.req.query('fields') ?? '')(told))
    })
    .post('/api/collections/:collection/auth-with-password', async (c) => {
      const collection = authCollection(engine, c.req.param('collection'))
      const body = await readCredentials(c)
      return answer(c, collection, await auth.signIn(collection, body, visitorOf(c, body)))
    })
    .post('/api/collections/:collection/auth-refresh', async (c) => {
      const collection = engine.collections.find(c.req.param('collection'))
      if (collection === undefined) throw notFound('Missing or invalid collection context.')
      const session = await auth.refresh(collection, identified(c), visitorOf(c, {}))
      await readBody(c)
      return answer(c, collection, session)
    })
    .post('/api/collections/:collection/impersonate/:id', async (c) => {
      const { actor } = askedByAdmin(c)
      const collection = authCollection(engine, c.req.param('collection'))
      const { duration = 0 } = await readCredentials(c)
      if (duration !== null && typeof duration !== 'number') throw unreadable()
      if (Number(duration) < 0) throw badRequest('An error occurred while validating the submitted data.', { duration: negative })
      const record = await engine.store.load(collection.viewOf?.collection ?? collection.name, c.req.param('id'))
      if (record === undefined) throw notFound()
      await engine.database.write((unit) =>
        noteInAudit(unit, engine.clock.now(), {
          by: actor,
          action: 'impersonate',
          target: 'users',
          id: record.id,
          name: textOf(record, 'email'),
        }),
      )
      const acting = { seconds: Math.floor(Number(duration)), by: textOf(actor, 'email'), visitor: visitorOf(c, {}) }
      return answer(c, collection, await auth.impersonate(collection, record, acting))
    })
    .post('/api/files/token', (c) => c.json({ token: auth.fileToken(signedIn(c)) }))
}

const negative = { code: 'validation_min_greater_equal_than_required', message: 'Must be no less than 0.', params: { threshold: 0 } }

/** A body of an auth route that is broken, or has a value of another type. */
export const unreadable = (): RecordError => badRequest('An error occurred while loading the submitted data.')

/** Fields of a sign-in, with the words that clients of it know for a body that cannot be read. */
export async function readCredentials(c: Context<RequestContext>): Promise<Body> {
  try {
    return await readTexts(c)
  } catch (error) {
    if (error instanceof RecordError && error.message === defaultMessages[400]) throw unreadable()
    throw error
  }
}
