import { ownValue } from '@vedette/protocol/own-value'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { isJsonObject, parseJson } from '../../platform/json.ts'

/**
 * Profile of a user at an identity provider: id, names, picture URL, access token and raw claims. `email` is `undefined` unless the
 * provider has verified it.
 */
export type Profile = {
  readonly id: string
  readonly email: string | undefined
  readonly name: string
  readonly username: string
  readonly avatarUrl: string
  readonly accessToken: string
  readonly raw: JsonObject
  /**
   * Error (any thrown value) of the provider's userinfo endpoint when the claim about groups was requested. It is logged; the sign-in
   * continues without groups. Absent after a success.
   */
  readonly groupsFailure?: unknown
}

export type AuthorizationCode = { readonly code: string; readonly codeVerifier: string; readonly redirectUrl: string }

/**
 * Error for a failed step of a sign-in at an identity provider. `step` names the step: discovery, token or user. The cause is for the log.
 */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly step: 'discovery' | 'token' | 'user'
  constructor(step: ProviderFailure['step'], cause: unknown) {
    super(`Cannot finish the ${step} step: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.step = step
  }
}

/** Copies the claims of an identity provider to a plain JSON object, in which dates are text. Returns `{}` if they are not an object. */
export const plain = (claims: object): JsonObject => {
  const value = parseJson(JSON.stringify(claims))
  return isJsonObject(value) ? value : {}
}

export const textIn = (claims: JsonObject, name: string): string => {
  const value = ownValue(claims, name)
  return typeof value === 'string' ? value : ''
}
