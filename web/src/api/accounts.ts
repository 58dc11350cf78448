import { getJson, hasHadSession, keepSession, refreshSession, sendRequest } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { RequestFailed } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

const users = '/api/collections/users'

/**
 * Resolves to true when this hub can send email (a mail server is configured). Otherwise the dashboard does not offer emailed links and
 * codes.
 */
async function fetchSendsMail(signal: AbortSignal): Promise<boolean> {
  return recordOf(await getJson('/api/vedette/sign-in', signal))['mail'] === true
}

/**
 * Sign-in methods that this hub offers besides the password: its OAuth2 and OIDC providers. `name` is a provider's id, `displayName` the
 * label of its button.
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
 * Signs in by the header that a trusted proxy in front of the hub adds to requests, and stores the new session. Resolves to false when
 * there is no such header, or this page has had a session since it was loaded.
 */
async function signInByHeader(signal: AbortSignal): Promise<boolean> {
  if (hasHadSession() || recordOf(await getJson('/api/vedette/sign-in', signal))['header'] !== true) return false
  await refreshSession()
  return true
}

/**
 * TanStack Query options of the sign-in by a proxy's header; the data is true when it succeeded. The sign-in page runs it once when it
 * opens, and again at its next visit.
 */
export const headerSignInQuery = serverQuery(keys.headerSignIn, signInByHeader, { retry: false, staleTime: Infinity, gcTime: 0 })

export const sendsMailQuery = serverQuery(keys.sendsMail, fetchSendsMail)

export const signInWaysQuery = serverQuery(keys.signInWays, fetchSignInWays, { retry: false })

/**
 * State of a sign-in whose first factor the hub has accepted, and which needs a second one. `mfaId` identifies the sign-in. `needs` is the
 * second step: `app` (code of the app or recovery code), `passkey`, `setup` of an app, or `mail` (emailed code).
 */
export type NeededStep = { readonly mfaId: string; readonly needs: 'app' | 'passkey' | 'setup' | 'mail' }

/**
 * Returns the second step that a sign-in needs, from the error of its first request (status 401 with `mfaId`); `undefined` for any other
 * error.
 */
export function neededStepOf(error: unknown): NeededStep | undefined {
  if (!(error instanceof RequestFailed) || error.status !== 401) return undefined
  const { mfaId, factors } = recordOf(recordOf(error.cause)['response'])
  const id = textOf(mfaId)
  const own = (['app', 'passkey', 'setup'] as const).find((factor) => listOf(factors).includes(factor))
  return id === undefined ? undefined : { mfaId: id, needs: own ?? 'mail' }
}

/**
 * Makes the hub email a one-time sign-in code to the account with this address, if there is one. Resolves to the `otpId`, which must be
 * sent together with the code; an empty string if the response has none.
 */
export async function requestCode(email: string): Promise<string> {
  return textOf(recordOf(await sendRequest('POST', `${users}/request-otp`, { email }))['otpId']) ?? ''
}

/**
 * Completes a sign-in with an emailed one-time code as second factor, and stores the new session. `password` is the code; `otpId`
 * identifies its email, `mfaId` the sign-in. Rejects with RequestFailed for a wrong code.
 */
export async function signInWithCode(sent: { otpId: string; password: string; mfaId: string }): Promise<void> {
  keepSession(await sendRequest('POST', `${users}/auth-with-otp`, sent))
}

export const confirmVerification = (token: string): Promise<unknown> => sendRequest('POST', `${users}/confirm-verification`, { token })

/**
 * Requests a change of the signed-in user's email address. The hub emails a confirmation link to the new address; the change takes effect
 * with it.
 */
export const requestEmailChange = (newEmail: string): Promise<unknown> => sendRequest('POST', '/api/account/email', { newEmail })

/**
 * Confirms a change of the user's email address at the hub, with the token (text) from the emailed link and the account's password. Rejects
 * with RequestFailed when the hub refuses either.
 */
export const confirmEmailChange = (token: string, password: string): Promise<unknown> =>
  sendRequest('POST', `${users}/confirm-email-change`, { token, password })

/** Returns true for an error by which the hub rejected the token of an emailed link: it has expired, was used already or is invalid. */
export const isLinkRefused = (error: unknown): boolean => error instanceof RequestFailed && error.fieldErrors['token'] !== undefined
