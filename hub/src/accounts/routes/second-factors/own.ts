import type { Context } from 'hono'
import { z } from 'zod'
import { remoteAddress, type RequestContext, visitorOf } from '../../../http/requests/request-context.ts'
import { defineRoute, notAllowed } from '../../../http/routing/define-route.ts'
import { textOrEmpty, texts } from '../../../http/routing/field-schemas.ts'
import type { Engine } from '../../../records/engine/engine.ts'
import { recordDate } from '../../../records/model/stored-record.ts'
import { presentRecord } from '../../../records/presentation/present.ts'
import type { Accounts } from '../../accounts.ts'
import type { Attempts } from '../../attempts.ts'
import type { SignedInCaller } from '../../auth.ts'
import { beginOwnApp, confirmOwnApp, isRecentSignIn, removeOwnApp, renewOwnCodes, type FactorOwner } from '../../own-second-factors.ts'
import type { Passkey } from '../../second-factors/passkeys.ts'
import { sessionResponse } from '../auth.ts'

export type OwnParts = {
  readonly engine: Engine
  readonly accounts: Pick<Accounts, 'auth' | 'apps' | 'passkeys' | 'ways' | 'appUrl' | 'settings'>
  readonly attempts: Attempts
}

export const noStore = { 'cache-control': 'no-store' } as const

export const proofBody = z.object({ password: textOrEmpty, code: textOrEmpty })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const partsOf = ({ engine, accounts, attempts }: OwnParts) => ({
  engine,
  auth: accounts.auth,
  apps: accounts.apps,
  passkeys: accounts.passkeys,
  ways: accounts.ways,
  attempts,
})

/**
 * Returns the signed-in user of a request with the password and code of its body, for changes of own second factors. Throws 403 for a
 * session of fixed length, such as one in which an admin acts as the user.
 */
export function ownerOf(
  c: Context<RequestContext>,
  { actor, proof }: SignedInCaller,
  sent: { readonly password?: string; readonly code?: string },
): FactorOwner {
  if (!proof.refreshable) throw notAllowed()
  return { actor, proof, address: remoteAddress(c), password: sent.password ?? '', code: sent.code ?? '' }
}

/**
 * Schema of a passkey in API responses: id, name and times. Times are record dates (`2026-11-21 06:30:00.000Z`); `used` is `''` for never.
 */
export const shownPasskey = z.object({ id: z.string(), name: z.string(), created: z.string(), used: z.string() })

/** Converts a stored passkey to its form in API responses: id, name, and times as record dates. */
export const presentPasskey = ({ id, name, createdMs, usedMs }: Passkey): z.infer<typeof shownPasskey> => ({
  id,
  name,
  created: recordDate(createdMs),
  used: usedMs === undefined ? '' : recordDate(usedMs),
})

const readOwnFactors = defineRoute('GET /api/account/second-factors', {
  tag: 'sign-in',
  summary: "The caller's second factors; `passwordNeeded` is false for 10 minutes after a sign-in",
  access: 'person',
  response: z.object({ app: z.boolean(), recoveryCodes: z.number(), passkeys: z.array(shownPasskey), passwordNeeded: z.boolean() }),
  headers: noStore,
  async handle({ actor, proof }, { engine, accounts }: OwnParts) {
    const { isOn, recoveryCodes } = await accounts.apps.stateOf(actor.id)
    const passkeys = (await accounts.passkeys.list(actor.id)).map(presentPasskey)
    return { app: isOn, recoveryCodes, passkeys, passwordNeeded: !(await isRecentSignIn(accounts.auth, { proof }, engine.clock.now())) }
  },
})

export const changesOwn = {
  door: 'person',
  decidedBy: 'the session, which must be renewable, and the password or a sign-in of the last 10 minutes',
} as const

const beginApp = defineRoute('POST /api/account/authenticator-app', {
  tag: 'sign-in',
  summary: "Starts to set up the caller's authenticator app; only this response holds the `secret`, and its `uri` for a QR code",
  access: changesOwn,
  body: texts(z.object({ password: textOrEmpty })),
  response: z.object({ secret: z.string(), uri: z.string() }),
  headers: noStore,
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    const owner = ownerOf(c, { actor, proof }, await body())
    const { meta } = await parts.accounts.settings.load()
    return beginOwnApp(partsOf(parts), owner, meta.appName)
  },
})

const confirmApp = defineRoute('POST /api/account/authenticator-app/confirm', {
  tag: 'sign-in',
  summary: 'Turns the authenticator app on with its first code and ends the other sessions; only this response holds the `recoveryCodes`',
  access: changesOwn,
  body: texts(z.object({ code: textOrEmpty })),
  response: sessionResponse.extend(recoveryCodes.shape),
  headers: noStore,
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    const owner = ownerOf(c, { actor, proof }, await body())
    const signedInMs = await parts.accounts.auth.signedInMs(proof)
    const { record, recoveryCodes } = await confirmOwnApp(partsOf(parts), owner)
    const start = { visitor: visitorOf(c, {}), signedInMs }
    const { token } = await parts.accounts.auth.begin(proof.collection, record, start)
    return { token, record: presentRecord(proof.collection, record, record), recoveryCodes: [...recoveryCodes] }
  },
})

const removeApp = defineRoute('POST /api/account/authenticator-app/remove', {
  tag: 'sign-in',
  summary: "Turns the caller's authenticator app off and deletes the recovery codes; needs a code",
  access: changesOwn,
  body: texts(proofBody),
  response: 'nothing',
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    await removeOwnApp(partsOf(parts), ownerOf(c, { actor, proof }, await body()))
  },
})

const renewCodes = defineRoute('POST /api/account/recovery-codes', {
  tag: 'sign-in',
  summary: "Replaces the caller's recovery codes; needs a code, and only this response holds the new ones",
  access: changesOwn,
  body: texts(proofBody),
  response: recoveryCodes,
  headers: noStore,
  async handle({ c, actor, proof, body }, parts: OwnParts) {
    return { recoveryCodes: [...(await renewOwnCodes(partsOf(parts), ownerOf(c, { actor, proof }, await body())))] }
  },
})

/** List of the routes by which users manage their own authenticator app and recovery codes. */
export const ownSecondFactorRoutes = [readOwnFactors, beginApp, confirmApp, removeApp, renewCodes]
