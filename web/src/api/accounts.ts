import { getJson, hasHadSession, keepSession, refreshSession, sendRequest } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { RequestFailed } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

const users = '/api/collections/users'

/**
 * Resolves to true when this hub can send email, because a mail server is configured. Otherwise the dashboard offers no mailed links or
 * codes.
 */
async function fetchSendsMail(signal: AbortSignal): Promise<boolean> {
  return recordOf(await getJson('/api/vedette/sign-in', signal))['mail'] === true
}

/**
 * Data of the ways to sign in besides the password: OAuth2 and OIDC providers. `name` is the provider's id, `displayName` the label of its
 * button.
 */
export type SignInWays = { readonly providers: readonly { readonly name: string; readonly displayName: string }[] }

async function fetchSignInWays(signal: AbortSignal): Promise<SignInWays> {
  const { oauth2 } = recordOf(await getJson(`${users}/auth-methods?fields=oauth2`, signal))
  const providers = listOf(recordOf(oauth2)['providers']).flatMap((one) => {
    const { name, displayName } = recordOf(one)
    const known = textOf(name)
    return known === undefined ? [] : [{ name: known, displayName: textOf(displayName) ?? known }]
  })
  return { providers }
}

/**
 * Signs in by the header of the proxy in front of the hub, and stores the new session. Resolves to false without such a header, and when
 * the person has signed out, in this tab or another one.
 */
async function signInByHeader(signal: AbortSignal): Promise<boolean> {
  if (hasHadSession() || recordOf(await getJson('/api/vedette/sign-in', signal))['header'] !== true) return false
  await refreshSession()
  return true
}

/** Query that signs in once, when the sign-in page opens. A later visit of that page asks the hub again. */
export const headerSignInQuery = serverQuery(keys.headerSignIn, signInByHeader, { retry: false, staleTime: Infinity, gcTime: 0 })

export const sendsMailQuery = serverQuery(keys.sendsMail, fetchSendsMail)

export const signInWaysQuery = serverQuery(keys.signInWays, fetchSignInWays, { retry: false })

/**
 * Sign-in whose first factor was accepted and that needs a second one. `mfaId` identifies it. `needs`: a code of the authenticator app or a
 * recovery code, a sign-in with a passkey instead, the set-up of an app, or a mailed code.
 */
export type NeededStep = { readonly mfaId: string; readonly needs: 'app' | 'passkey' | 'setup' | 'mail' }

/** Returns the second step that a failed sign-in requires (HTTP 401 with `mfaId`). `undefined` for any other error. */
export function neededStepOf(error: unknown): NeededStep | undefined {
  if (!(error instanceof RequestFailed) || error.status !== 401) return undefined
  const { mfaId, factors } = recordOf(recordOf(error.cause)['response'])
  const id = textOf(mfaId)
  const own = (['app', 'passkey', 'setup'] as const).find((factor) => listOf(factors).includes(factor))
  return id === undefined ? undefined : { mfaId: id, needs: own ?? 'mail' }
}

/** Requests that the hub mails a one-time sign-in code. Resolves to the `otpId`, which must be sent together with the code. */
export async function requestCode(email: string): Promise<string> {
  return textOf(recordOf(await sendRequest('POST', `${users}/request-otp`, { email }))['otpId']) ?? ''
}

/**
 * Signs in with a mailed one-time code as the second factor. `password` is that code; `otpId` and `mfaId` identify it and the first factor.
 * Stores the new session.
 */
export async function signInWithCode(sent: { otpId: string; password: string; mfaId: string }): Promise<void> {
  keepSession(await sendRequest('POST', `${users}/auth-with-otp`, sent))
}

export const confirmVerification = (token: string): Promise<unknown> => sendRequest('POST', `${users}/confirm-verification`, { token })

/** Requests a change of the account's email address. The hub mails a confirmation link to `newEmail`. */
export const requestEmailChange = (newEmail: string): Promise<unknown> => sendRequest('POST', '/api/account/email', { newEmail })

/**
 * Confirms a change of the email address with the token from the mailed link and the account's password. Rejects with RequestFailed when
 * the hub refuses it.
 */
export const confirmEmailChange = (token: string, password: string): Promise<unknown> =>
  sendRequest('POST', `${users}/confirm-email-change`, { token, password })

/** Returns true when an error says that the hub rejected the token of a mailed link: it has expired, was used or is not valid. */
export const isLinkRefused = (error: unknown): boolean => error instanceof RequestFailed && error.fieldErrors['token'] !== undefined
