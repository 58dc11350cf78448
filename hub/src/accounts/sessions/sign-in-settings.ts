import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveFields } from '../../platform/db/hub-state.ts'
import { isJsonObject, parseJson } from '../../platform/json.ts'
import { badRequest, type FieldError, type FieldErrors } from '../../records/model/record-error.ts'
import { isAdmin, type StoredRecord } from '../../records/model/stored-record.ts'
import { readStored } from '../../settings/settings-fields.ts'

/** Enabled sign-in methods of a collection (`users` or `_superusers`). Durations are in seconds. */
export type SignInWays = {
  readonly password: { readonly enabled: boolean }
  /** Settings of sign-in by emailed one-time codes. `length` is the number of digits of a code, `duration` its lifetime in seconds. */
  readonly otp: { readonly enabled: boolean; readonly duration: number; readonly length: number }
  /**
   * Settings of the second factor by email: a sign-in needs two different methods. `duration` is the time in seconds after the first method
   * within which the second one must follow.
   */
  readonly mfa: { readonly enabled: boolean; readonly duration: number }
  /** Settings of required second factors: whether every user of the collection must have an authenticator app or a passkey. */
  readonly secondFactor: { readonly required: boolean }
  /** Settings of emails about sign-ins: whether the hub emails a user about a sign-in from a new address or browser. */
  readonly alert: { readonly enabled: boolean }
}

/** Enabled sign-in methods of each collection that can sign in: of `users`, and of `_superusers` (admins). */
export type SignInSettings = { readonly users: SignInWays; readonly _superusers: SignInWays }
export type SignInCollection = keyof SignInSettings

export const signInCollectionOf = (collection: string): SignInCollection => (collection === '_superusers' ? '_superusers' : 'users')

/**
 * Operator's options that override the sign-in settings of admins. `passwordOff` disables passwords, except for `_superusers`. `mfa`
 * requires an emailed code besides another method, of everybody or of admins.
 */
export type SignInOverrides = { readonly passwordOff: boolean; readonly mfa: 'everybody' | 'admins' | undefined }

export type SignInStore = {
  readonly load: () => Promise<SignInSettings>
  /** Returns stored sign-in settings with the operator's overrides applied, as they are in force. */
  readonly effective: (stored: SignInSettings) => SignInSettings
}

const standard: SignInWays = {
  password: { enabled: true },
  otp: { enabled: false, duration: 180, length: 6 },
  mfa: { enabled: false, duration: 600 },
  secondFactor: { required: false },
  alert: { enabled: true },
}

/** Sign-in settings that apply until admins change them: the enabled sign-in methods of `users` and `_superusers`. */
export const defaultSignIn: SignInSettings = { users: standard, _superusers: standard }

const STATE = 'signIn'

/** Name (`sign-in`) of the database lock that is held while the sign-in settings or identity providers are loaded, changed and stored. */
export const SIGN_IN_LOCK = 'sign-in'

/**
 * Loads the sign-in settings as admins stored them, without the operator's overrides; defaults if none are stored. `sql`: database or
 * transaction.
 */
export async function loadSignIn(sql: Database['kysely']): Promise<SignInSettings> {
  const text = await loadState(sql, STATE)
  const stored = text === undefined ? {} : parseJson(text)
  const { users = {}, _superusers = {} } = isJsonObject(stored) ? stored : {}
  const waysOf = (ways: Json): SignInWays => waysIn(isJsonObject(ways) ? ways : {}, standard)
  return { users: waysOf(users), _superusers: waysOf(_superusers) }
}

/**
 * Returns true if emailed one-time codes are a required second factor of a sign-in collection: of `users`, of `_superusers` (admins), or of
 * both.
 */
export const needsMailedCodes = ({ users, _superusers }: SignInSettings): boolean => users.mfa.enabled || _superusers.mfa.enabled

/** Stores the sign-in settings of both sign-in collections (`users`, `_superusers`) in the transaction `unit`. */
export const storeSignIn = (unit: UnitOfWork, settings: SignInSettings): Promise<void> => saveFields(unit.sql, STATE, settings)

export function signInStore(database: Database, overrides: SignInOverrides): SignInStore {
  return {
    load: async () => overridden(await loadSignIn(database.kysely), overrides),
    effective: (stored) => overridden(stored, overrides),
  }
}

function overridden(settings: SignInSettings, { passwordOff, mfa }: SignInOverrides): SignInSettings {
  const twice = (ways: SignInWays): SignInWays => ({ ...ways, otp: { ...ways.otp, enabled: true }, mfa: { ...ways.mfa, enabled: true } })
  const { users, _superusers } = settings
  const open = mfa === 'everybody' ? twice(users) : users
  return {
    users: passwordOff ? { ...open, password: { enabled: false } } : open,
    _superusers: mfa === undefined ? _superusers : twice(_superusers),
  }
}

const forms = {
  password: z.object({ enabled: z.boolean() }),
  otp: z.object({ enabled: z.boolean(), duration: z.number(), length: z.number() }),
  mfa: z.object({ enabled: z.boolean(), duration: z.number() }),
  secondFactor: z.object({ required: z.boolean() }),
  alert: z.object({ enabled: z.boolean() }),
}

/**
 * Returns true if the settings require that the account has an authenticator app or passkey. Admins can sign in as `users` or
 * `_superusers`, so the stricter setting applies to them.
 */
export const requiresFactor = ({ users, _superusers }: SignInSettings, account: StoredRecord): boolean =>
  users.secondFactor.required || (_superusers.secondFactor.required && isAdmin(account))

/**
 * Parses the stored sign-in methods of a collection (`users` or `_superusers`). Fields that are missing or have a wrong type get the value
 * from `defaults`.
 */
function waysIn(fields: JsonObject, defaults: SignInWays): SignInWays {
  return {
    password: readStored(forms.password, defaults.password, fields['password']),
    otp: readStored(forms.otp, defaults.otp, fields['otp']),
    mfa: readStored(forms.mfa, defaults.mfa, fields['mfa']),
    secondFactor: readStored(forms.secondFactor, defaults.secondFactor, fields['secondFactor']),
    alert: readStored(forms.alert, defaults.alert, fields['alert']),
  }
}

/** Converts the sign-in methods of a collection to the JSON object that clients read, with members such as `passwordAuth`. */
export function signInForm({ password, otp, mfa, secondFactor, alert }: SignInWays) {
  return {
    passwordAuth: { ...password, identityFields: ['email'] },
    otp: { ...otp },
    mfa: { ...mfa, rule: '' },
    secondFactor: { ...secondFactor },
    authAlert: { ...alert },
  }
}

const changeable: readonly string[] = ['passwordAuth', 'otp', 'mfa', 'secondFactor', 'authAlert', 'oauth2']

/**
 * Returns true if the request body is not empty and each of its fields is a sign-in setting, such as `otp`. Such a request changes only the
 * sign-in methods of a collection.
 */
export const isSignInChange = (body: JsonObject): boolean =>
  Object.keys(body).length > 0 && Object.keys(body).every((name) => changeable.includes(name))

/**
 * Removes from an admin's change of sign-in settings the values that only repeat an override of the operator. Such a value equals the
 * effective one (`shown`), which differs from the stored one (`stored`). Compares nested objects by field.
 */
export const withoutOverridden = (change: JsonObject, stored: JsonObject, shown: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]): [string, Json][] => {
      const [before, visible] = [ownValue(stored, name), ownValue(shown, name)]
      if (isJsonObject(value) && isJsonObject(before) && isJsonObject(visible)) return [[name, withoutOverridden(value, before, visible)]]
      const [sent, kept, seen] = [value, before, visible].map((one) => JSON.stringify(one))
      return sent === seen && seen !== kept ? [] : [[name, value]]
    }),
  )

/**
 * Returns the sign-in methods of a collection after applying an admin's request body. Throws 400 with errors by field, for example for a
 * second factor by email on a hub that cannot send email.
 */
export function changedWays(current: SignInWays, body: JsonObject, sendsMail: boolean): SignInWays {
  const { passwordAuth: password = {}, otp: sentOtp = {}, mfa: sentMfa = {}, secondFactor = {}, authAlert: alert = {} } = body
  const next = waysIn({ password, otp: sentOtp, mfa: sentMfa, secondFactor, alert }, current)
  const lockouts = newLockouts(current, next)
  const isMailMissing = next.mfa.enabled && !current.mfa.enabled && !sendsMail
  const errors: Record<string, FieldErrors> = {
    otp: { ...outside('duration', next.otp.duration, [10, 86_400]), ...outside('length', next.otp.length, [4, 12]) },
    mfa: {
      ...outside('duration', next.mfa.duration, [10, 86_400]),
      ...(isMailMissing && { enabled: withoutMail }),
      ...lockouts.mfa,
    },
    passwordAuth: { ...lockouts.passwordAuth },
  }
  const wrong = Object.entries(errors).filter(([, ofPart]) => Object.keys(ofPart).length > 0)
  if (wrong.length > 0) throw refused(Object.fromEntries(wrong))
  return next
}

/**
 * Throws 400 if a change of a collection's sign-in methods (settings in force before and after) would leave users no way to sign in. A
 * lockout that existed before is allowed. `hasProvider`: users can sign in at an identity provider, so they need no other method.
 */
export function refuseLockout(before: SignInWays, after: SignInWays, hasProvider: boolean): void {
  const { mfa, passwordAuth } = newLockouts(before, after)
  const errors = { ...(mfa && { mfa }), ...(passwordAuth && !hasProvider && { passwordAuth }) }
  if (Object.keys(errors).length > 0) throw refused(errors)
}

/** Throws 400 if users have neither password nor one-time codes. Call it when they lose the last identity provider. */
export function refuseLastWay(ways: SignInWays): void {
  const { passwordAuth } = lockoutsOf(ways)
  if (passwordAuth !== undefined) throw refused({ oauth2: passwordAuth })
}

const refused = (errors: Record<string, FieldErrors>) => badRequest('Failed to update collection.', errors)

const noWayLeft: FieldError = { code: 'validation_invalid_value', message: 'There must be a way to sign in.' }

function outside(name: string, value: number, [least, most]: readonly [number, number]): Record<string, FieldError> {
  if (Number.isInteger(value) && value >= least && value <= most) return {}
  return { [name]: { code: 'validation_invalid_value', message: `Must be a whole number from ${least} to ${most}.` } }
}

const oneWayOnly: FieldError = {
  code: 'validation_mfa_not_enough_methods',
  message: 'Needs two ways to sign in: password and one-time codes.',
}
const withoutMail: FieldError = { code: 'validation_mfa_without_mail', message: 'One-time codes are mailed: set up the mail server first.' }

type Lockouts = { mfa?: Record<string, FieldError>; passwordAuth?: Record<string, FieldError> }

function newLockouts(before: SignInWays, after: SignInWays): Lockouts {
  const earlier = lockoutsOf(before)
  const { mfa, passwordAuth } = lockoutsOf(after)
  return { ...(mfa && !earlier.mfa && { mfa }), ...(passwordAuth && !earlier.passwordAuth && { passwordAuth }) }
}

/**
 * Returns errors, by setting, for sign-in methods that lock users out: neither password nor one-time codes, or a second factor by email
 * without both. `{}` if there are none.
 */
function lockoutsOf({ password, otp, mfa }: SignInWays): Lockouts {
  return {
    ...(mfa.enabled && !(otp.enabled && password.enabled) && { mfa: { enabled: oneWayOnly } }),
    ...(!password.enabled && !otp.enabled && { passwordAuth: { enabled: noWayLeft } }),
  }
}
