import { TooManyError } from '../platform/http/http-error.ts'
import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Collection } from '../records/model/collection.ts'
import { badRequest, notFound, RecordError } from '../records/model/record-error.ts'
import type { KeyScope } from '../records/model/key-scope.ts'
import { asText, type StoredRecord, isAdmin } from '../records/model/stored-record.ts'
import type { ApiKeys } from './api-keys/api-keys.ts'
import { KEY_PREFIX } from './api-keys/key-text.ts'
import type { Attempts } from './attempts.ts'
import { parseCredentials } from './credentials.ts'
import type { AccountMail } from './mailed/mail-jobs.ts'
import { isOutdated, verifyPassword } from './passwords/password.ts'
import { foreignTokenCheck } from './sessions/foreign-tokens.ts'
import type { Method, RemoteClient } from './sessions/proofs.ts'
import { type Sessions, isSignedWith, readClaims, signToken, type TokenClaims } from './sessions/sessions.ts'
import { signInCollectionOf } from './sessions/sign-in-settings.ts'
import { hasRequiredFactor, noticePlace, redeemSecondStep, requireFactors, type SecondStep, type StepParts } from './sign-in-steps.ts'

/**
 * Lifetime of a session of the collection `users`, in seconds: 7 days, as clients expect. `ADMIN_SESSION_SECONDS` is that of `_superusers`.
 */
const SESSION_SECONDS = 7 * 86_400
const ADMIN_SESSION_SECONDS = 86_400
const FILE_SECONDS = 180

/** Returns true if a text begins with the prefix of API keys (`vdt_`). The key may still be invalid. */
export const hasKeyPrefix = (token: string): boolean => token.startsWith(KEY_PREFIX)

/** Result of a sign-in: the user's record (`record`) and the text of the new session token (`token`). */
export type Session = { readonly record: StoredRecord; readonly token: string }

/**
 * Verified session token or API key of a request, with its text (`token`). `collection` is the sign-in collection (`users` or
 * `_superusers`) of the user; `refreshable`: the session can be renewed.
 */
export type Proof = {
  readonly token: string
  readonly collection: Collection
  readonly type: 'auth' | 'admin'
  readonly refreshable: boolean
  /**
   * Id and scope of the API key, and the tags to which it is limited. Absent for a session. With an API key, `token` of this proof is the
   * key's text.
   */
  readonly key?: { readonly id: string; readonly scope: KeyScope; readonly tags: readonly string[] | undefined }
}

export type SignedInCaller = { readonly actor: StoredRecord; readonly proof: Proof }

type Credentials = { readonly [field: string]: Json }

export type Auth = {
  /**
   * Resolves to the user of a session token or API key, with the verified token. `undefined` if it is missing, expired, revoked, for files,
   * or not of this hub or an imported one. Also `undefined` if an admin session's user is no longer an admin.
   */
  readonly identify: (token: string) => Promise<SignedInCaller | undefined>
  /**
   * Signs in with email address and password, and resolves to the new session. Throws 400 for wrong credentials, 403 if the account is
   * unverified or passwords are disabled, and 429 after too many attempts. Throws SecondProofNeeded if a second factor is required.
   */
  readonly signIn: (collection: Collection, credentials: Credentials, visitor: RemoteClient) => Promise<Session>
  /**
   * Completes a sign-in after one method (password, code or provider) has succeeded, and resolves to the new session. Throws 403 if the
   * account is unverified or codes are disabled, 400 for an invalid second factor, and SecondProofNeeded if one is required. Emails the
   * user if the client is new.
   */
  readonly complete: (collection: Collection, account: StoredRecord, method: Method, visitor: RemoteClient) => Promise<Session>
  /**
   * Completes a sign-in with a code of the authenticator app or a recovery code, and resolves to the new session. Throws 400 for a wrong or
   * used code and an unknown first step, 403 if the account is unverified, 429 after too many codes.
   */
  readonly completeWithCode: (step: SecondStep, visitor: RemoteClient) => Promise<Session>
  /** Resolves to the time of the sign-in with which the session of a token began, in epoch ms. `undefined` if it is unknown. */
  readonly signedInMs: (proof: Pick<Proof, 'token'>) => Promise<number | undefined>
  /**
   * Starts a session without checking any factor, for a user whose sessions the same request has ended, as by a new password. `signedInMs`
   * is the time of the original sign-in in epoch ms; `undefined` if unknown. Throws 403 if the account is unverified.
   */
  readonly begin: (collection: Collection, account: StoredRecord, start: SessionStart) => Promise<Session>
  /**
   * Renews a session and resolves to it with a new token; a session of fixed length and an API key are returned unchanged. Throws 401 for a
   * guest and a session of PocketBase's former admin API, 403 for a session of another collection or an unverified account.
   */
  readonly refresh: (collection: Collection, identified: SignedInCaller | undefined, visitor: RemoteClient) => Promise<Session>
  /**
   * Creates a session with which an admin, whose email address is `by`, acts as the user `record`. It has a fixed length, the usual one if
   * `seconds` is 0, and cannot be renewed.
   */
  readonly impersonate: (collection: Collection, record: StoredRecord, acting: Impersonation) => Promise<Session>
  /**
   * Creates a session token (JWT, `type: admin`) for an admin, as API clients expect that were written for PocketBase's former
   * `/api/admins` routes. It is valid for 1 day.
   */
  readonly adminToken: (admin: StoredRecord) => string
  /**
   * Creates a token (JWT) with which the signed-in user can download backups and log files without a session header. It is valid for 3
   * minutes.
   */
  readonly fileToken: (identified: SignedInCaller) => string
  /** Resolves to the user of a token for downloads of files. `undefined` if the token is invalid or expired. */
  readonly fileBearer: (token: string) => Promise<StoredRecord | undefined>
}

/**
 * Options of a session in which an admin acts as another user. `seconds`: session length, 0 for the usual one. `by`: email address of the
 * admin. `visitor`: the admin's client.
 */
export type Impersonation = { readonly seconds: number; readonly by: string; readonly visitor: RemoteClient }

/**
 * Data for `begin`, which starts a session: the client (browser and address), and the time of the original sign-in in epoch ms (`undefined`
 * if unknown).
 */
export type SessionStart = { readonly visitor: RemoteClient; readonly signedInMs: number | undefined }

export class TooManyAttemptsError extends TooManyError {}

type Parts = StepParts & {
  readonly attempts: Attempts
  readonly sessions: Sessions
  readonly apiKeys: Pick<ApiKeys, 'identify'>
  /**
   * Function that queues an email to a user of the hub, such as the warning about a sign-in from a new device. It does nothing if no mail
   * server is configured.
   */
  readonly write: (mail: AccountMail) => Promise<void>
}

export function authOf({ engine, attempts, ways, sessions, apps, passkeys, apiKeys, write }: Parts): Auth {
  const purpose = engine.secrets.derive('auth tokens').toString('base64url')
  const keyOf = (record: StoredRecord): string => asText(record['tokenKey'] ?? '') + purpose
  const isOfImportedHub = foreignTokenCheck(engine)
  const steps = { engine, ways, apps, passkeys }
  const sign = (record: StoredRecord, claims: TokenClaims): string => signToken(claims, keyOf(record))
  const inSeconds = (seconds: number): number => Math.floor(engine.clock.now() / 1000) + seconds

  const lastExp = new Map<string, number>()
  /**
   * Returns the expiry time (epoch seconds) for a new session token: `exp`, or the next free second up to an hour later. A second is free
   * if no token of the account expires then; two equal tokens would be one session.
   */
  function uniqueExpiry(account: string, exp: number): number {
    const last = lastExp.get(account) ?? 0
    const own = last >= exp && last - exp < MOST_AHEAD_SECONDS ? last + 1 : exp
    lastExp.set(account, own)
    return own
  }

  async function sessionOf(collection: Collection, record: StoredRecord, { visitor, ...more }: SessionOptions): Promise<Session> {
    const refreshable = more.seconds === undefined
    const { address, browser } = visitor
    const { by = '', after, signedInMs } = more
    for (;;) {
      const exp = uniqueExpiry(record.id, inSeconds(more.seconds ?? lifetime(collection)))
      const token = sign(record, { id: record.id, collectionId: collection.id, type: 'auth', exp, refreshable })
      const known = { token, account: record.id, collection: collection.name, expiresMs: exp * 1000, address, browser, by, signedInMs }
      if (await sessions.remember(after === undefined ? known : { ...known, after })) return { record, token }
    }
  }

  async function loadAccount(collection: Collection, id: string): Promise<StoredRecord | undefined> {
    const record = await engine.store.load(accountsOf(collection), id)
    return record === undefined || !isOf(collection, record) ? undefined : record
  }

  async function bearerOf(token: string, claims: TokenClaims) {
    if (claims.exp * 1000 <= engine.clock.now()) return undefined
    const collection = engine.collections.find(claims.type === 'admin' ? '_superusers' : claims.collectionId)
    if (collection?.type !== 'auth') return undefined
    const actor = await loadAccount(collection, claims.id)
    if (actor === undefined) return undefined
    return isSignedWith(token, keyOf(actor)) ||
      ((await isOfImportedHub({ token, claims, account: actor })) && (await hasRequiredFactor(steps, actor)))
      ? { actor, collection }
      : undefined
  }

  async function identifyKey(token: string): Promise<SignedInCaller | undefined> {
    const collection = engine.collections.find('users')
    const bearer = await apiKeys.identify(token)
    if (bearer === undefined || collection === undefined) return undefined
    return { actor: bearer.actor, proof: { token, collection, type: 'auth', refreshable: false, key: bearer.key } }
  }

  /** Stores a new hash of the user's unchanged password, made with the current hash parameters. The user's sessions stay valid. */
  async function rehashPassword(account: StoredRecord, password: string): Promise<void> {
    const hash = await engine.hashPassword(password)
    await engine.database.write(async (unit) => {
      const now = await engine.store.load('users', account.id, unit)
      if (now?.['password'] === account['password']) await engine.store.update(unit, 'users', account.id, { password: hash })
    })
  }

  /**
   * Starts the session of a sign-in after all its factors were verified, and resolves to it. Warns the user by email if the device is new.
   */
  async function finish(collection: Collection, record: StoredRecord, visitor: RemoteClient): Promise<Session> {
    await noticePlace({ engine, ways, write }, { collection, account: record, visitor })
    return sessionOf(collection, record, { visitor, signedInMs: engine.clock.now() })
  }

  async function complete(collection: Collection, account: StoredRecord, method: Method, visitor: RemoteClient): Promise<Session> {
    const record = verified(account)
    await requireFactors(steps, { collection, account: record, method, mfaId: visitor.mfaId })
    return finish(collection, record, visitor)
  }

  return {
    complete,

    async completeWithCode(step, visitor) {
      const attempt = await attempts.begin({ address: visitor.address, account: `second step ${step.mfaId}` })
      if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
      const account = await redeemSecondStep(steps, step)
      await attempt.succeeded()
      if (!isOf(step.collection, account)) throw badRequest('Failed to authenticate.')
      return finish(step.collection, verified(account), visitor)
    },

    async identify(token) {
      if (hasKeyPrefix(token)) return identifyKey(token)
      const claims = readClaims(token)
      if (claims === undefined || claims.type === 'file' || sessions.hasEnded(token)) return undefined
      const bearer = await bearerOf(token, claims)
      if (bearer === undefined) return undefined
      const { actor, collection } = bearer
      const refreshable = claims.type === 'admin' || claims.refreshable
      return { actor, proof: { token, collection, type: claims.type, refreshable } }
    },

    async fileBearer(token) {
      const claims = readClaims(token)
      return claims?.type === 'file' ? (await bearerOf(token, claims))?.actor : undefined
    },

    async signIn(collection, credentials, visitor) {
      if (collection.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
      if (!(await ways.load())[signInCollectionOf(collection.name)].password.enabled)
        throw new RecordError(403, 'The collection is not configured to allow password authentication.')
      const { identity, password } = parseCredentials(credentials)
      const attempt = await attempts.begin({ address: visitor.address, account: identity })
      if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
      const [record] = await engine.store.loadWhere(accountsOf(collection), { email: identity })
      const account = record !== undefined && isOf(collection, record) ? record : undefined
      // An unknown identity takes the same time. Otherwise the time would reveal which accounts exist.
      const right = await verifyPassword(password, asText(account?.['password'] ?? ''))
      if (account === undefined || !right) throw badRequest('Failed to authenticate.')
      await attempt.succeeded()
      if (isOutdated(asText(account['password'] ?? ''))) await rehashPassword(account, password)
      return complete(collection, account, 'password', visitor)
    },

    signedInMs: ({ token }) => sessions.signedInMs(token),

    begin: async (collection, account, start) => sessionOf(collection, verified(account), start),

    async refresh(collection, identified, visitor) {
      if (identified === undefined) throw signInFirst()
      const { actor, proof } = identified
      // Admin tokens of the oldest clients belong to no collection.
      if (proof.type === 'admin') throw signInFirst()
      if (proof.collection !== collection) throw elsewhere(proof)
      if (!proof.refreshable) return { record: actor, token: proof.token }
      return sessionOf(collection, verified(actor), { visitor, after: proof.token })
    },

    impersonate: (collection, record, { seconds, by, visitor }) =>
      sessionOf(collection, record, { visitor, by, seconds: seconds === 0 ? lifetime(collection) : seconds }),
    adminToken: (admin) => sign(admin, { id: admin.id, type: 'admin', exp: inSeconds(ADMIN_SESSION_SECONDS) }),
    fileToken: ({ actor, proof }) =>
      sign(actor, { id: actor.id, collectionId: proof.collection.id, type: 'file', exp: inSeconds(FILE_SECONDS) }),
  }
}

/**
 * Options of a new session. `seconds`: fixed length; `signedInMs`: time of the sign-in. `by` is the email address of the admin who acts as
 * the user, `after` the earlier token of a renewed session.
 */
type SessionOptions = {
  readonly visitor: RemoteClient
  readonly seconds?: number
  readonly by?: string
  readonly after?: string
  readonly signedInMs?: number | undefined
}

const MOST_AHEAD_SECONDS = 3600

export const signInFirst = (): RecordError => new RecordError(401, 'The request requires valid record authorization token.')

/**
 * Returns the error 403 for a request whose session belongs to another sign-in collection (`users` or `_superusers`) than the one in its
 * URL.
 */
export const elsewhere = ({ collection }: Proof): RecordError =>
  new RecordError(403, `The request requires auth record from ${collection.name} collection.`)

function lifetime(collection: Collection): number {
  return collection.viewOf === undefined ? SESSION_SECONDS : ADMIN_SESSION_SECONDS
}

/**
 * Returns the name of the database collection with the accounts of a sign-in collection. It is `users` for `_superusers`, which is a view
 * of the admins in `users`.
 */
function accountsOf(collection: Collection): string {
  return collection.viewOf?.collection ?? collection.name
}

function isOf(collection: Collection, record: StoredRecord): boolean {
  return collection.viewOf === undefined || isAdmin(record)
}

function verified(record: StoredRecord): StoredRecord {
  if (record['verified'] === true) return record
  throw new RecordError(403, "The request doesn't satisfy the collection requirements to authenticate.")
}
