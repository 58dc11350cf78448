import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Context } from 'hono'
import { z } from 'zod'
import { authCollection } from '../../http/requests/find-collection.ts'
import { factsOf, signedInCaller, type RequestContext, visitorOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { refusedWith } from '../../records/model/field-errors.ts'
import { fields, sentFields, typedObject } from '../../http/routing/field-schemas.ts'
import type { Log } from '../../platform/log.ts'
import type { Collection } from '../../records/model/collection.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { notFound } from '../../records/model/record-error.ts'
import { textOf } from '../../records/model/stored-record.ts'
import { presentForRequest } from '../../records/reading/query.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Accounts } from '../accounts.ts'
import type { Session } from '../auth.ts'
import { signInCollectionOf, type SignInWays } from '../sessions/sign-in-settings.ts'
import type { SignInHeader } from '../sign-in-header.ts'
import { credentials, INVALID } from './auth-bodies.ts'
import { offeredProvider, offeredProviders, type OfferedProvider } from './offered-providers.ts'

/**
 * Schema of the response to a sign-in: the token, and the user's record as its owner sees it. `meta` has the profile at an identity
 * provider.
 */
export const sessionResponse = z.object({ token: z.string(), record: z.custom<Json>(), meta: typedObject().optional() })

/**
 * Service for sign-in routes: the sign-in by an HTTP header that a reverse proxy sends, such as `Remote-Email`. `undefined` when the
 * operator configured no such header.
 */
export type HeaderPart = { readonly signInHeader: SignInHeader | undefined }

type AuthParts = { readonly engine: Engine; readonly accounts: Pick<Accounts, 'auth'> }

const off = { enabled: false, duration: 0 } as const

const timed = z.object({ enabled: z.boolean(), duration: z.number() })

/**
 * Schema of the enabled sign-in methods in API responses. Older clients read `usernamePassword`, `emailPassword` and `authProviders`;
 * current ones read the other members.
 */
const methodsResponse = z.object({
  password: z.object({ enabled: z.boolean(), identityFields: z.array(z.string()) }),
  oauth2: z.object({ enabled: z.boolean(), providers: z.array(offeredProvider) }),
  mfa: timed,
  otp: timed,
  usernamePassword: z.boolean(),
  emailPassword: z.boolean(),
  authProviders: z.array(offeredProvider).nullable(),
})

const methodsOf = ({ password, otp, mfa }: SignInWays, providers: OfferedProvider[]): z.infer<typeof methodsResponse> => ({
  password: { enabled: password.enabled, identityFields: password.enabled ? ['email'] : [] },
  oauth2: { enabled: providers.length > 0, providers },
  mfa: mfa.enabled ? mfa : off,
  otp: otp.enabled ? { enabled: true, duration: otp.duration } : off,
  usernamePassword: false,
  emailPassword: password.enabled,
  authProviders: providers.length > 0 ? providers : null,
})

/**
 * Returns true if the User-Agent is a Python client, which needs a list in `authProviders` even if no provider is offered. Every other
 * client gets null then.
 */
const iteratesProviders = (c: Context<RequestContext>): boolean => /python/i.test(c.req.header('user-agent') ?? '')

const readAuthMethods = defineRoute('GET /api/collections/:collection/auth-methods', {
  tag: 'sign-in',
  summary: 'The ways to sign in',
  access: 'anyone',
  response: methodsResponse,
  picksFields: true,
  async handle({ c, params }, { engine, accounts, log }: { readonly engine: Engine; readonly accounts: Accounts; readonly log: Log }) {
    const collection = authCollection(engine, params.collection)
    const providers = collection.viewOf === undefined ? await offeredProviders(accounts, log) : []
    const methods = methodsOf((await accounts.ways.load())[signInCollectionOf(collection.name)], providers)
    return iteratesProviders(c) && providers.length === 0 ? { ...methods, authProviders: [] } : methods
  },
})

const signInWithPassword = defineRoute('POST /api/collections/:collection/auth-with-password', {
  tag: 'sign-in',
  summary: 'Signs in: answers `token` and `record`',
  access: 'anyone',
  body: credentials(sentFields({ identity: 'string', password: 'string', identityField: 'string', mfaId: 'string' })),
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, { engine, accounts }: AuthParts) {
    const collection = authCollection(engine, params.collection)
    const sent = await body()
    return presentSession(c, engine, collection, await accounts.auth.signIn(collection, sent, visitorOf(c, sent)))
  },
})

const refreshSession = defineRoute('POST /api/collections/:collection/auth-refresh', {
  tag: 'sign-in',
  summary: 'A new token for a session of this collection; without a session, for the account of the sign-in header',
  access: { door: 'anyone', decidedBy: 'the session, which must be one of this collection, or the sign-in header of a listed proxy' },
  body: fields(sentFields()),
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, { engine, accounts, signInHeader: header }: AuthParts & HeaderPart) {
    const collection = engine.collections.find(params.collection)
    if (collection === undefined) throw notFound('Missing or invalid collection context.')
    const caller = signedInCaller(c)
    const incoming = c.env?.incoming
    const takesHeader = caller === undefined && collection.name === 'users' && incoming !== undefined
    const account = takesHeader ? await header?.accountFor(incoming) : undefined
    const session =
      account === undefined
        ? await accounts.auth.refresh(collection, caller, visitorOf(c, {}))
        : await accounts.auth.complete(collection, account, 'header', visitorOf(c, {}))
    await body()
    return presentSession(c, engine, collection, session)
  },
})

const negative = { code: 'validation_min_greater_equal_than_required', message: 'Must be no less than 0.', params: { threshold: 0 } }
const duration = z.number().nullish()
const actingBody = z.object({
  duration: duration.transform((seconds) => seconds ?? 0).refine((seconds) => seconds >= 0, refusedWith(negative)),
})

const impersonate = defineRoute('POST /api/collections/:collection/impersonate/:id', {
  tag: 'sign-in',
  summary: 'A token of another account, which cannot be renewed; `duration` in seconds',
  access: 'admin',
  body: credentials(actingBody, z.object({ duration })),
  invalid: INVALID,
  response: sessionResponse,
  picksFields: true,
  async handle({ c, actor, params, body }, { engine, accounts }: AuthParts) {
    const collection = authCollection(engine, params.collection)
    const sent = await body()
    const record = await engine.store.load(collection.viewOf?.collection ?? collection.name, params.id)
    if (record === undefined) throw notFound()
    const note = { by: actor, action: 'impersonate', target: 'users', id: record.id, name: textOf(record, 'email') }
    await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), note))
    const acting = { seconds: Math.floor(sent.duration), by: textOf(actor, 'email'), visitor: visitorOf(c, {}) }
    return presentSession(c, engine, collection, await accounts.auth.impersonate(collection, record, acting))
  },
})

const makeFileToken = defineRoute('POST /api/files/token', {
  tag: 'sign-in',
  summary: 'A short-lived token for downloading files',
  access: 'signed in',
  response: z.object({ token: z.string() }),
  handle: ({ actor, proof }, { accounts }: AuthParts) => ({ token: accounts.auth.fileToken({ actor, proof }) }),
})

export const authRoutes = [readAuthMethods, signInWithPassword, refreshSession, impersonate, makeFileToken]

/** Resolves to the response to a sign-in: the token, and the user's record as its owner sees it. */
export async function presentSession(
  c: Context<RequestContext>,
  engine: Engine,
  collection: Collection,
  { record, token, meta }: Session & { readonly meta?: JsonObject },
) {
  const facts = { ...factsOf(c), actor: record }
  const { fields: _, ...query } = c.req.query()
  return {
    record: await presentForRequest(engine, { collection, facts }, record, query),
    token,
    ...(meta === undefined ? {} : { meta }),
  }
}
