import { getJson, keepSession, sendRequest } from './client.ts'
import { listOf, recordOf, textOf, timeOf } from './json.ts'
import { keys } from './keys.ts'
import { unreadable } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

/** Passkey of the signed-in user. Times are epoch ms; `usedMs`: last sign-in, `undefined` for none. */
export type Passkey = {
  readonly id: string
  readonly name: string
  readonly createdMs: number | undefined
  readonly usedMs: number | undefined
}

/** Second factors of the signed-in user. `recoveryCodes`: number of unused recovery codes. */
export type OwnFactors = {
  readonly hasApp: boolean
  readonly recoveryCodes: number
  readonly passkeys: readonly Passkey[]
  /** False for some minutes after a sign-in, in which the hub does not require the password for changes. */
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

/** New secret of an authenticator app: `secret` is the text to type, `uri` the content of the QR code. */
export type NewApp = { readonly secret: string; readonly uri: string }

/** Starts to set up an authenticator app. `password` is empty when the hub needs none. Rejects with RequestFailed for a wrong password. */
export async function beginApp(password: string): Promise<NewApp> {
  const { secret, uri } = recordOf(await sendRequest('POST', '/api/account/authenticator-app', { password }))
  const [text, address] = [textOf(secret), textOf(uri)]
  if (text === undefined || address === undefined) throw unreadable()
  return { secret: text, uri: address }
}

/** Turns the new authenticator app on with its first code. Stores the new session, and resolves to the recovery codes. */
export async function confirmApp(code: string): Promise<readonly string[]> {
  const response = await sendRequest('POST', '/api/account/authenticator-app/confirm', { code })
  keepSession(response)
  return recoveryCodesIn(response)
}

/** Password (empty when the hub needs none) and code of a person who changes the own second factors. */
export type FactorProof = { readonly password: string; readonly code: string }

export const removeApp = (proof: FactorProof): Promise<unknown> => sendRequest('POST', '/api/account/authenticator-app/remove', proof)

/** Replaces the recovery codes and resolves to the new ones. */
export const renewRecoveryCodes = async (proof: FactorProof): Promise<readonly string[]> =>
  recoveryCodesIn(await sendRequest('POST', '/api/account/recovery-codes', proof))

const recoveryCodesIn = (response: unknown): readonly string[] =>
  listOf(recordOf(response)['recoveryCodes']).flatMap((code) => textOf(code) ?? [])

/** Completes a sign-in with a code of the authenticator app or a recovery code, and stores the new session. */
export async function signInWithSecondFactor(sent: { readonly mfaId: string; readonly code: string }): Promise<void> {
  keepSession(await sendRequest('POST', '/api/collections/users/auth-with-second-factor', sent))
}
