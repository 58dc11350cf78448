import { getJson, keepSession, sendRequest } from './client.ts'
import { listOf, recordOf, textOf, timeOf } from './json.ts'
import { keys } from './keys.ts'
import { unreadable } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

const users = '/api/collections/users'

/** Passkey (WebAuthn credential) of the signed-in user. Times are epoch ms; `usedMs` is the last sign-in with it, `undefined` for none. */
export type Passkey = {
  readonly id: string
  readonly name: string
  readonly createdMs: number | undefined
  readonly usedMs: number | undefined
}

/** Second factors of the signed-in user: whether an authenticator app is set up, the number of unused recovery codes, and the passkeys. */
export type OwnFactors = {
  readonly hasApp: boolean
  readonly recoveryCodes: number
  readonly passkeys: readonly Passkey[]
  /** True when the hub requires the password for changes of second factors; false for 10 minutes after a sign-in. */
  readonly needsPassword: boolean
}

async function fetchOwnFactors(signal: AbortSignal): Promise<OwnFactors> {
  const { app, recoveryCodes, passkeys, passwordNeeded } = recordOf(await getJson('/api/account/second-factors', signal))
  return {
    hasApp: app === true,
    recoveryCodes: typeof recoveryCodes === 'number' ? recoveryCodes : 0,
    passkeys: listOf(passkeys).map((item): Passkey => {
      const { id, name, created, used } = recordOf(item)
      return { id: textOf(id) ?? '', name: textOf(name) ?? '', createdMs: timeOf(created), usedMs: timeOf(used) }
    }),
    needsPassword: passwordNeeded !== false,
  }
}

export const ownFactorsQuery = serverQuery(keys.secondFactors, fetchOwnFactors)

/** New secret (TOTP) of an authenticator app: `secret` is the text to type into the app, `uri` the `otpauth:` content of the QR code. */
export type NewApp = { readonly secret: string; readonly uri: string }

/**
 * Begins the set-up of an authenticator app at the hub and resolves to its new secret. `password` is empty when the hub requires none.
 * Rejects with RequestFailed for a wrong password.
 */
export const beginApp = async (password: string): Promise<NewApp> =>
  newAppIn(await sendRequest('POST', '/api/account/authenticator-app', { password }))

function newAppIn(response: unknown): NewApp {
  const { secret, uri } = recordOf(response)
  const [text, address] = [textOf(secret), textOf(uri)]
  if (text === undefined || address === undefined) throw unreadable()
  return { secret: text, uri: address }
}

/**
 * Completes the set-up of an authenticator app with a first code from it. Stores the new session and resolves to the recovery codes.
 * Rejects with RequestFailed for a wrong code.
 */
export async function confirmApp(code: string): Promise<readonly string[]> {
  const response = await sendRequest('POST', '/api/account/authenticator-app/confirm', { code })
  keepSession(response)
  return recoveryCodesIn(response)
}

/**
 * Proof of identity that a user gives to change second factors. It is the password, and a code of the authenticator app or a recovery code;
 * each is empty if the hub requires none.
 */
export type FactorProof = { readonly password: string; readonly code: string }

export const removeApp = (proof: FactorProof): Promise<unknown> => sendRequest('POST', '/api/account/authenticator-app/remove', proof)

/**
 * Makes the hub replace the user's recovery codes, and resolves to the list of new codes. The old codes no longer work. Rejects with
 * RequestFailed when the proof is wrong.
 */
export const renewRecoveryCodes = async (proof: FactorProof): Promise<readonly string[]> =>
  recoveryCodesIn(await sendRequest('POST', '/api/account/recovery-codes', proof))

const recoveryCodesIn = (response: unknown): readonly string[] =>
  listOf(recordOf(response)['recoveryCodes']).flatMap((code) => textOf(code) ?? [])

/**
 * Begins the set-up of an authenticator app during a sign-in that the hub does not complete without one. `mfaId` identifies that sign-in.
 * Resolves to the app's secret.
 */
export const beginRequiredApp = async (mfaId: string): Promise<NewApp> =>
  newAppIn(await sendRequest('POST', `${users}/second-factor-setup`, { mfaId }))

/**
 * Result of setting up an authenticator app during a sign-in: the recovery codes to show, and the function `signIn`. Call it afterwards, to
 * store the new session.
 */
export type CompletedSetup = { readonly recoveryCodes: readonly string[]; readonly signIn: () => void }

/**
 * Completes the set-up of the authenticator app that a sign-in requires, with a first `code` from it. The hub then accepts the sign-in.
 * Resolves with the recovery codes to show, and the function `signIn`, which then stores the session.
 */
export async function confirmRequiredApp(sent: { readonly mfaId: string; readonly code: string }): Promise<CompletedSetup> {
  const response = await sendRequest('POST', `${users}/confirm-second-factor-setup`, sent)
  return { recoveryCodes: recoveryCodesIn(response), signIn: () => keepSession(response) }
}

/**
 * Completes a sign-in (identified by `mfaId`) with a code of the authenticator app or a recovery code, and stores the new session. Rejects
 * with RequestFailed for a wrong code.
 */
export async function signInWithSecondFactor(sent: { readonly mfaId: string; readonly code: string }): Promise<void> {
  keepSession(await sendRequest('POST', `${users}/auth-with-second-factor`, sent))
}
