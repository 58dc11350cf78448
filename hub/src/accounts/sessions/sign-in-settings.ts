import { ownValue } from '@vedette/protocol/own-value'
import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Database, UnitOfWork } from '../../platform/db/database.ts'
import { loadState, saveState } from '../../platform/db/hub-state.ts'
import { isJsonObject, parseJson } from '../../records/model/json-value.ts'
import { badRequest, type FieldError, type FieldErrors } from '../../records/model/record-error.ts'

/** In which ways a collection signs somebody in. Durations are in seconds. */
export type SignInWays = {
  readonly password: { readonly enabled: boolean }
  /** One-time codes by mail; `length` is how many digits they have. */
  readonly otp: { readonly enabled: boolean; readonly duration: number; readonly length: number }
  /** Two different ways are needed. */
  readonly mfa: { readonly enabled: boolean; readonly duration: number }
  /** Mail about a sign-in from a new place. */
  readonly alert: { readonly enabled: boolean }
}

/** By the collection one signs in through. */
export type SignInSettings = { readonly users: SignInWays; readonly _superusers: SignInWays }
export type Door = keyof SignInSettings

export const doorOf = (collection: string): Door => (collection === '_superusers' ? '_superusers' : 'users')

/** What the operator decided at the start; it stands above what admins set. */
export type SignInOverrides = { readonly passwordOff: boolean; readonly mfa: 'everybody' | 'admins' | undefined }

export type SignInStore = {
  readonly load: () => Promise<SignInSettings>
  /** `along` is done in the same transaction. */
  readonly save: (settings: SignInSettings, along: (unit: UnitOfWork) => Promise<void>) => Promise<void>
}

const standard: SignInWays = {
  password: { enabled: true },
  otp: { enabled: false, duration: 180, length: 6 },
  mfa: { enabled: false, duration: 600 },
  alert: { enabled: true },
}

const STATE = 'signIn'

export function signInStore(database: Database, overrides: SignInOverrides): SignInStore {
  return {
    async load() {
      const text = await loadState(database.kysely, STATE)
      const stored = text === undefined ? {} : parseJson(text)
      const { users = null, _superusers = null } = isJsonObject(stored) ? stored : {}
      return overridden({ users: waysOf(users), _superusers: waysOf(_superusers) }, overrides)
    },
    async save(settings, along) {
      const value = JSON.stringify(settings)
      await database.write(async (unit) => {
        await along(unit)
        await saveState(unit.sql, STATE, value)
      })
    },
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

function waysOf(stored: Json): SignInWays {
  const { password = null, otp = null, mfa = null, alert = null } = isJsonObject(stored) ? stored : {}
  return {
    password: { enabled: flagOf(password, standard.password.enabled) },
    otp: {
      enabled: flagOf(otp, standard.otp.enabled),
      duration: numberOf(otp, 'duration', standard.otp.duration),
      length: numberOf(otp, 'length', standard.otp.length),
    },
    mfa: { enabled: flagOf(mfa, standard.mfa.enabled), duration: numberOf(mfa, 'duration', standard.mfa.duration) },
    alert: { enabled: flagOf(alert, standard.alert.enabled) },
  }
}

function flagOf(part: Json, standing: boolean): boolean {
  const enabled = isJsonObject(part) ? part['enabled'] : undefined
  return typeof enabled === 'boolean' ? enabled : standing
}

function numberOf(part: Json, name: string, standing: number): number {
  const value = isJsonObject(part) ? ownValue(part, name) : undefined
  return typeof value === 'number' ? value : standing
}

/** What of a collection's model can be changed, by the names clients know. */
export function signInForm({ password, otp, mfa, alert }: SignInWays): JsonObject {
  return {
    passwordAuth: { ...password, identityFields: ['email'] },
    otp: { ...otp },
    mfa: { ...mfa, rule: '' },
    authAlert: { ...alert },
  }
}

const changeable: readonly string[] = ['passwordAuth', 'otp', 'mfa', 'authAlert', 'oauth2']

/** Whether a change of a collection is one of how it signs in, and of nothing else. */
export const isSignInChange = (body: JsonObject): boolean =>
  Object.keys(body).length > 0 && Object.keys(body).every((name) => changeable.includes(name))

/** How a collection signs in after a change. Throws 400 with what is wrong by its path. */
export function changedWays(current: SignInWays, body: JsonObject, sendsMail: boolean): SignInWays {
  const of = (name: string): Json => ownValue(body, name) ?? null
  const next: SignInWays = {
    password: { enabled: flagOf(of('passwordAuth'), current.password.enabled) },
    otp: {
      enabled: flagOf(of('otp'), current.otp.enabled),
      duration: numberOf(of('otp'), 'duration', current.otp.duration),
      length: numberOf(of('otp'), 'length', current.otp.length),
    },
    mfa: { enabled: flagOf(of('mfa'), current.mfa.enabled), duration: numberOf(of('mfa'), 'duration', current.mfa.duration) },
    alert: { enabled: flagOf(of('authAlert'), current.alert.enabled) },
  }
  const errors: Record<string, FieldErrors> = {}
  const otp = { ...outside('duration', next.otp.duration, [10, 86_400]), ...outside('length', next.otp.length, [4, 12]) }
  if (Object.keys(otp).length > 0) errors['otp'] = otp
  const mfa = { ...outside('duration', next.mfa.duration, [10, 86_400]), ...lockingOut(next, current, sendsMail) }
  if (Object.keys(mfa).length > 0) errors['mfa'] = mfa
  if (!next.password.enabled && !next.otp.enabled) errors['passwordAuth'] = { enabled: noWayLeft }
  if (Object.keys(errors).length > 0) throw badRequest('Failed to update collection.', errors)
  return next
}

const noWayLeft: FieldError = { code: 'validation_invalid_value', message: 'There must be a way to sign in.' }

function outside(name: string, value: number, [least, most]: readonly [number, number]): Record<string, FieldError> {
  if (Number.isInteger(value) && value >= least && value <= most) return {}
  return { [name]: { code: 'validation_invalid_value', message: `Must be a whole number from ${least} to ${most}.` } }
}

/** What would let nobody in any more. */
function lockingOut(next: SignInWays, current: SignInWays, sendsMail: boolean): Record<string, FieldError> {
  if (!next.mfa.enabled || current.mfa.enabled) return {}
  if (!next.otp.enabled || !next.password.enabled)
    return { enabled: { code: 'validation_mfa_not_enough_methods', message: 'Needs two ways to sign in: password and one-time codes.' } }
  if (!sendsMail)
    return { enabled: { code: 'validation_mfa_without_mail', message: 'One-time codes are mailed: set up the mail server first.' } }
  return {}
}
