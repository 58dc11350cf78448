import type { Json } from '@vedette/protocol/wire/stats-json'
import type { UnitOfWork } from '../platform/db/database.ts'
import type { Engine } from '../records/engine/engine.ts'
import type { Collection } from '../records/model/collection.ts'
import { blank } from '../records/model/field-check.ts'
import { badRequest, type FieldErrors, notFound } from '../records/model/record-error.ts'
import { asText, type StoredRecord } from '../records/model/stored-record.ts'
import { randomId } from '../platform/secrets/random-id.ts'
import { type AuditNote, noteInAudit } from '../records/writing/audit-log.ts'
import { checkNewPassword } from '../records/writing/new-password.ts'
import { type Body, sentValues } from '../records/writing/sent-values.ts'
import { validate } from '../records/writing/validate.ts'
import type { Attempts } from './attempts.ts'
import { TooManyAttemptsError } from './auth.ts'
import { verifyPassword } from './passwords/password.ts'
import { deleteProofs } from './sessions/proofs.ts'

/**
 * List of names of the fields that users may change in their own account: name, user name and whether other users see the email address.
 */
const profileFields: readonly string[] = ['name', 'username', 'emailVisibility']

const FAILED = 'Failed to update record.'

/**
 * Changes a user's own profile and resolves to the stored record. Fields outside the profile are ignored. Throws 400 with field errors, 404
 * if the account was deleted.
 */
export async function changeProfile(engine: Engine, person: StoredRecord, body: Body): Promise<StoredRecord> {
  const users = accounts(engine)
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => profileFields.includes(name)))
  return engine.database.write(async (unit) => {
    const previous = await engine.store.load(users.name, person.id, unit)
    if (previous === undefined) throw notFound()
    const record = { ...previous, ...sentValues(users, own, previous, previous), id: person.id }
    refuse(await validate(engine, users, { record, previous }, unit))
    return changed(engine, unit, record)
  })
}

type NewPassword = { readonly body: { readonly [field: string]: Json }; readonly address: string }

/**
 * Changes a user's password, ends all sessions of the user and resolves to the stored account, for which the HTTP route starts a new
 * session. Throws 400 with errors by field, such as a wrong `oldPassword`, and 429 after too many attempts. If another request has changed
 * the password meanwhile, it throws 400 without such errors.
 */
export async function changePassword(
  engine: Engine,
  attempts: Attempts,
  person: StoredRecord,
  { body, address }: NewPassword,
): Promise<StoredRecord> {
  const oldPassword = asText(body['oldPassword'] ?? '')
  refuse({ ...(oldPassword === '' ? { oldPassword: blank } : {}), ...checkNewPassword(body, true) })
  const attempt = await attempts.begin({ address, account: asText(person['email'] ?? '') })
  if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
  const right = await verifyPassword(oldPassword, asText(person['password'] ?? ''))
  if (!right) refuse({ oldPassword: { code: 'validation_invalid_old_password', message: 'Missing or invalid old password.' } })
  await attempt.succeeded()
  const password = await engine.hashPassword(asText(body['password'] ?? ''))
  return engine.database.write(async (unit) => {
    const now = await engine.store.load(accounts(engine).name, person.id, unit)
    // If two requests change the password at once, the second one was made with the old password and fails.
    if (now === undefined || now['password'] !== person['password']) throw badRequest(FAILED)
    await deleteProofs(unit, now.id)
    await noteInAudit(unit, engine.clock.now(), ownChange(now, 'password'))
    return changed(engine, unit, { ...now, password, tokenKey: randomId(50) })
  })
}

/**
 * Ends all sessions of a user by replacing the account's `tokenKey`, which signs session tokens. Resolves to the changed account, for a new
 * session.
 */
export const endSessions = (engine: Engine, person: StoredRecord): Promise<StoredRecord> =>
  engine.database.write((unit) => endSessionsWithin(engine, unit, person.id))

/** Ends all sessions of a user (account id) within a transaction, and resolves to the changed account. Throws 404 if it was deleted. */
export async function endSessionsWithin(engine: Engine, unit: UnitOfWork, account: string): Promise<StoredRecord> {
  const now = await engine.store.loadToChange(accounts(engine).name, account, unit)
  if (now === undefined) throw notFound()
  const record = await changed(engine, unit, { ...now, tokenKey: randomId(50) })
  await deleteProofs(unit, account)
  return record
}

/**
 * Returns the audit log entry for a change that a user makes to one field of the own account, such as the password. It shows `***` as old
 * and as new value.
 */
const ownChange = (person: StoredRecord, field: string): AuditNote => {
  const changes = { [field]: ['***', '***'] as const }
  return { by: person, action: 'update', target: 'users', id: person.id, name: asText(person['email'] ?? ''), changes }
}

async function changed(engine: Engine, unit: UnitOfWork, record: StoredRecord): Promise<StoredRecord> {
  const stored = await engine.store.update(unit, accounts(engine).name, record.id, record)
  if (stored === undefined) throw notFound()
  return stored
}

function accounts(engine: Engine): Collection {
  const users = engine.collections.find('users')
  if (users === undefined) throw new RangeError('Cannot find the collection of people')
  return users
}

function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw badRequest(FAILED, errors)
}

type Confirming = { readonly actor: StoredRecord; readonly password: unknown; readonly address: string }

/**
 * Checks the signed-in user's password again before a sensitive action, such as the restoring of a backup. Throws 400 for a wrong or
 * missing password, 429 after too many attempts.
 */
export async function confirmPassword(attempts: Attempts, { actor, password, address }: Confirming): Promise<void> {
  const attempt = await attempts.begin({ address, account: asText(actor['email'] ?? '') })
  if (attempt.waitSeconds !== undefined) throw new TooManyAttemptsError(attempt.waitSeconds)
  const isRight = typeof password === 'string' && (await verifyPassword(password, asText(actor['password'] ?? '')))
  if (!isRight)
    throw badRequest('Give your password to confirm it is you.', {
      password: { code: 'validation_invalid_password', message: 'The password is not right.' },
    })
  await attempt.succeeded()
}
