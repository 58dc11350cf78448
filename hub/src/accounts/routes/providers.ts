import { Hono, type Context } from 'hono'
import { ownValue } from '@vedette/protocol/own-value'
import type { Accounts } from '../accounts.ts'
import { TooManyAttemptsError } from '../auth.ts'
import type { Attempts } from '../attempts.ts'
import { refuseProblems } from '../mailed-links.ts'
import { ProviderFailure, type Profile } from '../providers/profile.ts'
import { accountAtProvider } from '../providers/provider-account.ts'
import type { Log } from '../../platform/log.ts'
import { isAdmin } from '../../records/model/actor.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { blank } from '../../records/model/field-check.ts'
import { badRequest, notFound, RecordError } from '../../records/model/record-error.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { StoredRecord } from '../../records/model/stored-record.ts'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { identified, remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'
import { visitorOf } from '../../http/requests/visitor.ts'
import { answerSession, readCredentials } from './auth.ts'

type Parts = {
  readonly engine: Engine
  readonly accounts: Accounts
  readonly attempts: Attempts
  readonly realtime: Realtime
  readonly log: Log
}

const TOPIC = '@oauth2'

/** Signing in at a provider, and the links between accounts here and there. */
export function providersRoute({ engine, accounts, attempts, realtime, log }: Parts): Hono<RequestContext> {
  // Everybody who signs in may wait for the provider's answer: each is told only their own.
  realtime.topic({ name: TOPIC, authorise: async () => true })

  async function profileFrom(
    c: Context<RequestContext>,
    body: { readonly [field: string]: string },
  ): Promise<{ provider: string; profile: Profile; createUsers: boolean }> {
    const { providers, createUsers } = await accounts.providers.load()
    const provider = providers.find(({ name }) => name === body['provider'])
    const known =
      provider === undefined
        ? { code: 'validation_invalid_provider', message: 'Provider with that name is missing or is not enabled.' }
        : undefined
    const text = (name: string): string => ownValue(body, name) ?? ''
    const redirectUrl = text('redirectURL') || text('redirectUrl')
    refuseProblems({
      provider: text('provider') === '' ? blank : known,
      code: text('code') === '' ? blank : undefined,
      redirectURL: redirectUrl === '' ? blank : undefined,
    })
    if (provider === undefined) throw notFound()
    const attempt = attempts.begin({ address: remoteAddress(c), account: `provider ${provider.name}` })
    if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
    try {
      const profile = await accounts.askProvider.profile(provider, { code: text('code'), codeVerifier: text('codeVerifier'), redirectUrl })
      if (profile.id === '') throw new ProviderFailure('user', new SyntaxError('there is no id'))
      attempt.succeeded()
      return { provider: provider.name, profile, createUsers }
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      log.warn('provider did not vouch', { provider: provider.name, step: error.step, error })
      throw badRequest(error.step === 'user' ? 'Failed to fetch OAuth2 user.' : 'Failed to fetch OAuth2 token.')
    }
  }

  return new Hono<RequestContext>()
    .post('/api/collections/:collection/auth-with-oauth2', async (c) => {
      const collection = authCollection(engine, c.req.param('collection'))
      const { enabled } = await accounts.providers.load()
      if (!enabled || collection.viewOf !== undefined)
        throw new RecordError(403, 'The collection is not configured to allow OAuth2 authentication.')
      const body = await readCredentials(c)
      const { provider, profile, createUsers } = await profileFrom(c, textsOf(body))
      const known = identified(c)
      const actor = known?.proof.collection === collection && known.proof.refreshable ? known.actor : undefined
      const { account, isNew } = await accountAtProvider(engine, { collection, provider, profile, actor, createUsers })
      const session = await accounts.auth.complete(collection, account, 'oauth2', visitorOf(c, body))
      return answerSession(c, engine, collection, { ...session, meta: { ...metaOf(profile), isNew } })
    })
    .on(['GET', 'POST'], '/api/oauth2-redirect', async (c) => {
      const isPosted = c.req.method === 'POST'
      const { state = '', code = '', error = '' } = isPosted ? textsOf(await readTexts(c).catch(() => ({}))) : c.req.query()
      // The state is the stream of who asked; nobody else's hears of it, and it hears once.
      const told = state !== '' && realtime.tellOne(state, TOPIC, { state, code, ...(error === '' ? {} : { error }) })
      const end = told && error === '' && code !== '' ? 'success' : 'failure'
      return c.redirect(`../_/#/auth/oauth2-redirect-${end}`, isPosted ? 303 : 307)
    })
    .get('/api/collections/:collection/records/:id/external-auths', async (c) => {
      const links = await linksOf(c)
      return c.json(
        links.map(({ provider = '', providerId = '', created = '', updated = '', id, recordRef = '', collectionRef = '' }) => ({
          id,
          created,
          updated,
          recordId: recordRef,
          collectionId: collectionRef,
          provider,
          providerId,
        })),
      )
    })
    .delete('/api/collections/:collection/records/:id/external-auths/:provider', async (c) => {
      const link = (await linksOf(c)).find(({ provider }) => provider === c.req.param('provider'))
      if (link === undefined) throw notFound()
      await engine.database.write((unit) => engine.store.remove(unit, '_externalAuths', link.id))
      return c.body(null, 204)
    })

  /** Of an account, for its owner and admins. Throws 401 for a guest, 403 for anybody else. */
  async function linksOf(c: Context<RequestContext, '/:collection/:id'>): Promise<readonly StoredRecord[]> {
    const collection = authCollection(engine, c.req.param('collection'))
    const { actor } = c.var
    if (actor === undefined) throw new RecordError(401, 'The request requires admin or record authorization token to be set.')
    const id = c.req.param('id')
    if (actor.id !== id && !isAdmin(actor)) throw new RecordError(403)
    return engine.store.loadWhere('_externalAuths', { collectionRef: collection.id, recordRef: id })
  }
}

const textsOf = (body: { readonly [field: string]: unknown }): { readonly [field: string]: string } =>
  Object.fromEntries(Object.entries(body).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))

/** What clients are told of who signed in, and by whom. */
function metaOf({ id, name, username, email = '', avatarUrl, accessToken, raw }: Profile) {
  return { id, name, username, email, avatarURL: avatarUrl, avatarUrl, accessToken, refreshToken: '', expiry: '', rawUser: raw }
}
