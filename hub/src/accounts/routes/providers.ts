import type { Context } from 'hono'
import { z } from 'zod'
import { authCollection } from '../../http/requests/find-collection.ts'
import { readTexts } from '../../http/requests/request-body.ts'
import { signedInCaller, remoteAddress, type RequestContext, visitorOf } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { textOrEmpty } from '../../http/routing/field-schemas.ts'
import type { Log } from '../../platform/log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { isAdmin, type Actor, textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { blank } from '../../records/model/field-check.ts'
import { badRequest, notFound, RecordError } from '../../records/model/record-error.ts'
import type { Realtime } from '../../records/realtime/realtime.ts'
import type { Body } from '../../records/writing/sent-values.ts'
import type { Accounts } from '../accounts.ts'
import type { Attempts } from '../attempts.ts'
import { TooManyAttemptsError } from '../auth.ts'
import { refuseProblems } from '../mailed-links.ts'
import { ProviderFailure, type AuthorizationCode, type Profile } from '../providers/profile.ts'
import { claimedValues, mapsClaims, type ClaimedValues } from '../groups/claimed-groups.ts'
import { accountAtProvider } from '../providers/provider-account.ts'
import { groupsClaimOf, type Provider, usableProviders } from '../providers/providers.ts'
import { presentSession, sessionResponse } from './auth.ts'
import { credentials } from './auth-bodies.ts'

const TOPIC = '@oauth2'

/**
 * Registers the realtime topic `@oauth2`. During a sign-in at an identity provider, the client subscribes to it and receives the provider's
 * authorization code.
 */
export function serveProviderSignIn(realtime: Pick<Realtime, 'topic'>): void {
  // Every stream may subscribe: a state reaches only the stream that it names.
  realtime.topic({ name: TOPIC, authorise: async () => true })
}

type ProviderParts = { readonly engine: Engine; readonly accounts: Accounts; readonly attempts: Attempts; readonly log: Log }

const providerBody = z.object({
  provider: textOrEmpty,
  code: textOrEmpty,
  codeVerifier: textOrEmpty,
  redirectURL: textOrEmpty,
  redirectUrl: textOrEmpty,
  mfaId: textOrEmpty,
})

const signInAtProvider = defineRoute('POST /api/collections/:collection/auth-with-oauth2', {
  tag: 'sign-in',
  summary: 'Signs in with the code of a provider: answers `token`, `record` and `meta`',
  access: 'anyone',
  body: credentials(providerBody),
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, parts: ProviderParts) {
    const { engine, accounts } = parts
    const collection = authCollection(engine, params.collection)
    const { enabled } = await accounts.providers.load()
    if (!enabled || collection.viewOf !== undefined)
      throw new RecordError(403, 'The collection is not configured to allow OAuth2 authentication.')
    const sent = await body()
    const { provider, profile, createUsers, claimed } = await profileFrom(c, parts, sent)
    const known = signedInCaller(c)
    const actor = known?.proof.collection === collection && known.proof.refreshable ? known.actor : undefined
    const { account, isNew } = await accountAtProvider(engine, {
      collection,
      provider,
      profile,
      actor,
      createUsers,
      claimed,
      log: parts.log,
    })
    const session = await accounts.auth.complete(collection, account, 'oauth2', visitorOf(c, sent))
    return presentSession(c, engine, collection, { ...session, meta: { ...metaOf(profile), isNew } })
  },
})

/**
 * Resolves to the user's profile at the identity provider that the request body names, by its authorization code. Throws 400 if the
 * provider rejects the code, 429 after too many attempts.
 */
async function profileFrom(
  c: Context<RequestContext>,
  { engine, accounts, attempts, log }: ProviderParts,
  { provider: name, code, codeVerifier, redirectURL, redirectUrl: olderRedirectUrl }: z.infer<typeof providerBody>,
): Promise<{ provider: string; profile: Profile; createUsers: boolean; claimed: ClaimedValues | undefined }> {
  const stored = await accounts.providers.load()
  const { createUsers } = stored
  const provider = usableProviders(stored).find((one) => one.name === name)
  const redirectUrl = redirectURL || olderRedirectUrl
  refuseProblems({
    provider: name === '' ? blank : provider === undefined ? unknownProvider : undefined,
    code: code === '' ? blank : undefined,
    redirectURL: redirectUrl === '' ? blank : undefined,
  })
  if (provider === undefined) throw notFound()
  const attempt = await attempts.begin({ address: remoteAddress(c), account: `provider ${provider.name}` })
  if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
  try {
    const { profile, claimed } = await fetchProfile({ engine, accounts, log }, provider, { code, codeVerifier, redirectUrl })
    if (profile.id === '') throw new ProviderFailure('user', new SyntaxError('there is no id'))
    await attempt.succeeded()
    return { provider: provider.name, profile, createUsers, claimed }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    log.warn('sign-in at the provider failed', { provider: provider.name, step: error.step, error })
    throw badRequest(error.step === 'user' ? 'Failed to fetch OAuth2 user.' : 'Failed to fetch OAuth2 token.')
  }
}

/**
 * Resolves to the `profile` of a person at an identity provider, and to `claimed`. These are the values of the claim about groups,
 * `undefined` for a provider without claims. Throws a ProviderFailure.
 */
async function fetchProfile({ engine, accounts, log }: Omit<ProviderParts, 'attempts'>, provider: Provider, shown: AuthorizationCode) {
  const groupsClaim = groupsClaimOf(provider)
  const wantsGroups = groupsClaim !== undefined && (await mapsClaims(engine))
  const profile = await accounts.askProvider.profile(provider, shown, wantsGroups)
  const error = profile.groupsFailure
  if (error !== undefined) log.warn('groups of a person not read at the provider: none count', { provider: provider.name, error })
  return { profile, claimed: groupsClaim === undefined ? undefined : claimedValues(profile.raw, groupsClaim) }
}

const unknownProvider = { code: 'validation_invalid_provider', message: 'Provider with that name is missing or is not enabled.' }

const returnBody = z.object({ state: textOrEmpty, code: textOrEmpty, error: textOrEmpty })

type RedirectParts = { readonly realtime: Pick<Realtime, 'sendToClient'> }

const returnFromProvider = defineRoute('GET /api/oauth2-redirect', {
  tag: 'sign-in',
  summary: 'Providers send the browser back to this address',
  access: 'anyone',
  query: returnBody,
  response: 'redirect',
  handle: ({ c, query }, { realtime }: RedirectParts) => c.redirect(outcomeOf(realtime, query), 307),
})

const returnByPost = defineRoute('POST /api/oauth2-redirect', {
  tag: 'sign-in',
  summary: 'The same for providers that post a form',
  access: 'anyone',
  body: { schema: returnBody, read: (c) => readTexts(c).catch((): Body => ({})) },
  response: 'redirect',
  handle: async ({ c, body }, { realtime }: RedirectParts) => c.redirect(outcomeOf(realtime, await body()), 303),
})

/**
 * Sends the authorization code (or error) to the client that started the sign-in; `state` is the id of its event stream. Returns the URL of
 * the page to redirect to: success or failure.
 */
function outcomeOf(realtime: RedirectParts['realtime'], { state, code, error }: z.infer<typeof returnBody>): string {
  const isDelivered = state !== '' && realtime.sendToClient(state, TOPIC, { state, code, ...(error === '' ? {} : { error }) })
  return `../_/#/auth/oauth2-redirect-${isDelivered && error === '' && code !== '' ? 'success' : 'failure'}`
}

const ownAccount = { door: 'anyone', decidedBy: 'the session: the account itself, or an admin' } as const

const listLinks = defineRoute('GET /api/collections/:collection/records/:id/external-auths', {
  tag: 'sign-in',
  summary: 'Accounts at providers that are linked to an account, for older clients',
  access: ownAccount,
  response: z.array(
    z.object({
      id: z.string(),
      created: z.string(),
      updated: z.string(),
      recordId: z.string(),
      collectionId: z.string(),
      provider: z.string(),
      providerId: z.string(),
    }),
  ),
  handle: async ({ actor, params }, { engine }: { readonly engine: Engine }) =>
    (await linksOf(engine, actor, params)).map((link) => ({
      id: link.id,
      created: textOf(link, 'created'),
      updated: textOf(link, 'updated'),
      recordId: textOf(link, 'recordRef'),
      collectionId: textOf(link, 'collectionRef'),
      provider: textOf(link, 'provider'),
      providerId: textOf(link, 'providerId'),
    })),
})

const removeLink = defineRoute('DELETE /api/collections/:collection/records/:id/external-auths/:provider', {
  tag: 'sign-in',
  summary: 'Removes the link to an account at a provider',
  access: ownAccount,
  response: 'nothing',
  async handle({ actor, params }, { engine }: { readonly engine: Engine }) {
    const link = (await linksOf(engine, actor, params)).find(({ provider }) => provider === params.provider)
    if (link === undefined) throw notFound()
    await engine.database.write((unit) => engine.store.remove(unit, '_externalAuths', link.id))
  },
})

/** List of the routes of sign-in at identity providers, and of the links between accounts and providers. */
export const providerRoutes = [signInAtProvider, returnFromProvider, returnByPost, listLinks, removeLink]

/**
 * Loads the records (`_externalAuths`) that link the account `id` to identity providers, one per provider. Throws 401 for a guest, 403 for
 * anyone but this account and admins.
 */
async function linksOf(
  engine: Engine,
  actor: Actor,
  { collection: nameOrId, id }: { readonly collection: string; readonly id: string },
): Promise<readonly StoredRecord[]> {
  const collection = authCollection(engine, nameOrId)
  if (actor === undefined) throw new RecordError(401, 'The request requires admin or record authorization token to be set.')
  if (actor.id !== id && !isAdmin(actor)) throw new RecordError(403)
  return engine.store.loadWhere('_externalAuths', { collectionRef: collection.id, recordRef: id })
}

function metaOf({ id, name, username, email = '', avatarUrl, accessToken, raw }: Profile) {
  return { id, name, username, email, avatarURL: avatarUrl, avatarUrl, accessToken, refreshToken: '', expiry: '', rawUser: raw }
}
