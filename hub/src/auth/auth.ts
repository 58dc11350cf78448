import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Actor } from '../records/actor.ts'
import type { Collection } from '../records/collection.ts'
import type { Engine } from '../records/engine.ts'
import { blank } from '../records/field-check.ts'
import { badRequest, notFound, RecordError, type FieldErrors } from '../records/record-error.ts'
import { asText } from '../records/record-row.ts'
import type { StoredRecord } from '../records/stored-record.ts'
import type { Attempts } from './attempts.ts'
import { verifyPassword } from './password.ts'
import { isSignedWith, readClaims, signToken } from './token.ts'

/** Seven days, as the clients in use are made for. */
const SESSION_SECONDS = 7 * 86_400
const LONGEST_INPUT = 255

/** Who a sign-in made of somebody: their record, and the token that proves it from now on. */
export type Session = { readonly record: StoredRecord; readonly token: string }

export type Auth = {
  /** Who a token belongs to; undefined for one that is missing, expired, revoked or not ours. */
  readonly actorOf: (token: string) => Promise<Actor>
  /** Throws 400 for wrong credentials, 403 for an unverified account, 429 (with `retryAfterSeconds`) for too many attempts. */
  readonly signIn: (collection: Collection, credentials: { readonly [field: string]: Json }, address: string) => Promise<Session>
  readonly refresh: (collection: Collection, actor: Actor) => Session
}

export class TooManyAttemptsError extends RecordError {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super(429)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function authOf(engine: Engine, attempts: Attempts): Auth {
  const purpose = engine.secrets.derive('auth tokens').toString('base64url')
  const keyOf = (record: StoredRecord): string => asText(record['tokenKey'] ?? '') + purpose

  function sessionOf(collection: Collection, record: StoredRecord): Session {
    const exp = Math.floor(engine.clock.now() / 1000) + SESSION_SECONDS
    const claims = { id: record.id, collectionId: collection.id, type: 'auth', exp, refreshable: true } as const
    return { record, token: signToken(claims, keyOf(record)) }
  }

  return {
    async actorOf(token) {
      const claims = readClaims(token)
      if (claims === undefined || claims.exp * 1000 <= engine.clock.now()) return undefined
      const collection = engine.collections.find(claims.collectionId)
      if (collection?.type !== 'auth') return undefined
      const record = await engine.store.load(collection.name, claims.id)
      return record !== undefined && isSignedWith(token, keyOf(record)) ? record : undefined
    },

    async signIn(collection, credentials, address) {
      const { identity, password } = parseCredentials(collection, credentials)
      const who = `${address} ${identity.toLowerCase()}`
      const waitSeconds = attempts.refuse(who)
      if (waitSeconds !== undefined) throw new TooManyAttemptsError(waitSeconds)
      const [record] = await engine.store.loadWhere(collection.name, { email: identity })
      // An unknown identity costs the same, or its absence could be told from the time.
      const right = await verifyPassword(password, asText(record?.['password'] ?? ''))
      if (record === undefined || !right) throw badRequest('Failed to authenticate.')
      attempts.forget(who)
      return sessionOf(collection, verified(record))
    },

    refresh(collection, actor) {
      if (actor === undefined) throw new RecordError(401, 'The request requires valid record authorization token.')
      if (collection.type !== 'auth') throw new RecordError(403, 'The request requires auth record from users collection.')
      return sessionOf(collection, verified(actor))
    },
  }
}

function verified(record: StoredRecord): StoredRecord {
  if (record['verified'] === true) return record
  throw new RecordError(403, "The request doesn't satisfy the collection requirements to authenticate.")
}

function parseCredentials(collection: Collection, sent: { readonly [field: string]: Json }) {
  if (collection.type !== 'auth') throw notFound('Missing or invalid auth collection context.')
  const { identity, password, identityField } = sent
  if (![identity, password].every(isTextOrNothing)) throw badRequest('An error occurred while loading the submitted data.')
  const errors: { [field: string]: FieldErrors[string] } = {}
  for (const [name, value] of Object.entries({ identity, password })) {
    const error = checkInput(asText(value ?? ''))
    if (error !== undefined) errors[name] = error
  }
  if (!['email', '', null, undefined].some((one) => one === identityField))
    errors['identityField'] = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
  if (Object.keys(errors).length > 0) throw badRequest('An error occurred while validating the submitted data.', errors)
  return { identity: asText(identity ?? ''), password: asText(password ?? '') }
}

function isTextOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function checkInput(text: string): FieldErrors[string] | undefined {
  if (text === '') return blank
  if (text.length <= LONGEST_INPUT) return undefined
  return {
    code: 'validation_length_out_of_range',
    message: `The length must be between 1 and ${LONGEST_INPUT}.`,
    params: { max: LONGEST_INPUT, min: 1 },
  }
}
