import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { z } from 'zod'
import { authCollection } from '../../../http/requests/find-collection.ts'
import { remoteAddress, type RequestContext, visitorOf } from '../../../http/requests/request-context.ts'
import { defineRoute } from '../../../http/routing/define-route.ts'
import { fields, textOrEmpty, texts, typedObject } from '../../../http/routing/field-schemas.ts'
import { refusedWith } from '../../../records/model/field-errors.ts'
import { blank } from '../../../records/model/field-check.ts'
import { isAdmin } from '../../../records/model/stored-record.ts'
import { TooManyAttemptsError } from '../../auth.ts'
import { beginOwnPasskey, registerOwnPasskey, removeOwnPasskey } from '../../own-second-factors.ts'
import { refusedPasskey } from '../../second-factors/passkeys.ts'
import { relyingPartyOf } from '../../second-factors/relying-party.ts'
import { presentSession, sessionResponse } from '../auth.ts'
import { changesOwn, noStore, ownerOf, type OwnParts, partsOf, presentPasskey, proofBody, shownPasskey } from './own.ts'

const LONGEST_NAME = 100
const LONGEST_ID = 1400

/**
 * Returns the WebAuthn relying party (host name and origin) of the dashboard's page that sent a request. Throws 400 at an address where
 * browsers have no passkeys, such as an IP address.
 */
const partyOf = (c: Context<RequestContext>, appUrl: string | undefined) =>
  relyingPartyOf({ origin: c.req.header('origin'), host: c.req.header('host'), appUrl })

const beginPasskey = defineRoute('POST /api/account/passkeys/options', {
  tag: 'sign-in',
  summary: "Options with which the caller's browser creates a passkey (WebAuthn); needs a code if the caller has an authenticator app",
  access: changesOwn,
  body: texts(proofBody),
  response: typedObject<object>(),
  headers: noStore,
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    const owner = ownerOf(c, { actor, proof }, await body())
    const party = partyOf(c, parts.accounts.appUrl)
    const { meta } = await parts.accounts.settings.load()
    return beginOwnPasskey(partsOf(parts), owner, { party, hubName: meta.appName })
  },
})

const text = z.string().max(LONGEST_ID)
const longText = z.string().max(20_000)
const credential = { id: text, rawId: text, type: z.literal('public-key'), clientExtensionResults: z.looseObject({}).default({}) }
const registration = z.object({
  ...credential,
  response: z.object({ clientDataJSON: longText, attestationObject: longText, transports: z.array(text).optional() }),
}) as unknown as z.ZodType<RegistrationResponseJSON> // the library's own names of transports are checked when they are stored
const assertion = z.object({
  ...credential,
  response: z.object({ clientDataJSON: longText, authenticatorData: longText, signature: longText, userHandle: text.optional() }),
}) as unknown as z.ZodType<AuthenticationResponseJSON> // the same form

const registerPasskey = defineRoute('POST /api/account/passkeys', {
  tag: 'sign-in',
  summary: "Stores the caller's new passkey under a `name`; `response` is the browser's",
  access: { door: 'person', decidedBy: 'the session, which must be renewable, and the challenge from the options' },
  body: fields(
    z.object({
      name: z
        .string()
        .transform((sent) => sent.trim())
        .refine((name) => name !== '', refusedWith(blank))
        .refine((name) => name.length <= LONGEST_NAME, `Must be at most ${LONGEST_NAME} characters.`),
      response: registration,
    }),
  ),
  invalid: 'Failed to add the passkey.',
  response: shownPasskey,
  headers: noStore,
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    const owner = ownerOf(c, { actor, proof }, {})
    const sent = await body()
    return presentPasskey(await registerOwnPasskey(partsOf(parts), owner, partyOf(c, parts.accounts.appUrl), sent))
  },
})

const removePasskey = defineRoute('POST /api/account/passkeys/:id/remove', {
  tag: 'sign-in',
  summary: "Removes one of the caller's passkeys; needs a code if the caller has an authenticator app",
  access: changesOwn,
  body: texts(proofBody),
  response: 'nothing',
  async handle({ c, actor, proof, params, body }, parts: OwnParts) {
    await removeOwnPasskey(partsOf(parts), ownerOf(c, { actor, proof }, await body()), params.id)
  },
})

const beginSignIn = defineRoute('POST /api/collections/:collection/passkey-options', {
  tag: 'sign-in',
  summary: 'Options with which a browser signs in with a passkey (WebAuthn)',
  access: 'anyone',
  response: typedObject<object>(),
  headers: noStore,
  async handle({ c, params }, { engine, accounts }: OwnParts) {
    authCollection(engine, params.collection)
    return accounts.passkeys.beginSignIn(partyOf(c, accounts.appUrl))
  },
})

const signInWithPasskey = defineRoute('POST /api/collections/:collection/auth-with-passkey', {
  tag: 'sign-in',
  summary: "Signs in with a passkey, which counts as both factors; `response` is the browser's; answers `token` and `record`",
  access: 'anyone',
  body: fields(z.object({ response: assertion, mfaId: textOrEmpty })),
  invalid: 'The passkey was not accepted. Try again.',
  response: sessionResponse,
  picksFields: true,
  async handle({ c, params, body }, { engine, accounts, attempts }: OwnParts) {
    const collection = authCollection(engine, params.collection)
    const { response } = await body()
    const attempt = await attempts.begin({ address: remoteAddress(c), account: `passkey ${response.id}` })
    if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
    const id = await accounts.passkeys.signIn(partyOf(c, accounts.appUrl), response)
    const account = await engine.store.load('users', id)
    if (account === undefined || (collection.viewOf !== undefined && !isAdmin(account))) throw refusedPasskey()
    await attempt.succeeded()
    return presentSession(c, engine, collection, await accounts.auth.complete(collection, account, 'passkey', visitorOf(c, {})))
  },
})

/** List of the routes by which users manage their own passkeys and sign in with them. */
export const passkeyRoutes = [beginPasskey, registerPasskey, removePasskey, beginSignIn, signInWithPasskey]
