import { getJson, keepSession, sendRequest } from './client.ts'
import { listOf, recordOf, textOf } from './json.ts'
import { keys } from './keys.ts'
import { RequestFailed } from './request-failed.ts'
import { serverQuery } from './server-query.ts'

const users = '/api/collections/users'

/** Whether this hub sends mail: without it nothing that needs a mailed link or code can work. */
async function fetchSendsMail(signal: AbortSignal): Promise<boolean> {
  return recordOf(await getJson('/api/vedette/sign-in', signal))['mail'] === true
}

/** OAuth2 and OIDC providers of the login page, with the names on their buttons. */
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

export const sendsMailQuery = serverQuery(keys.sendsMail, fetchSendsMail)

export const signInWaysQuery = serverQuery(keys.signInWays, fetchSignInWays, { retry: false })

/** The `mfaId` that a second factor has to send, from a sign-in response that requires one. `undefined` for any other failure. */
export function secondProofOf(error: unknown): string | undefined {
  if (!(error instanceof RequestFailed) || error.status !== 401) return undefined
  return textOf(recordOf(recordOf(error.cause)['response'])['mfaId'])
}

/** Has a code mailed; gives what the code must be sent with. */
export async function requestCode(email: string): Promise<string> {
  return textOf(recordOf(await sendRequest('POST', `${users}/request-otp`, { email }))['otpId']) ?? ''
}

/** Signs in with a mailed code as the second proof. */
export async function signInWithCode(sent: { otpId: string; password: string; mfaId: string }): Promise<void> {
  keepSession(await sendRequest('POST', `${users}/auth-with-otp`, sent))
}

export const confirmVerification = (token: string): Promise<unknown> => sendRequest('POST', `${users}/confirm-verification`, { token })

/** Has a link mailed to another address, which makes it the account's. */
export const requestEmailChange = (newEmail: string): Promise<unknown> => sendRequest('POST', '/api/account/email', { newEmail })

/** The account gets the address that the link was mailed to. */
export const confirmEmailChange = (token: string, password: string): Promise<unknown> =>
  sendRequest('POST', `${users}/confirm-email-change`, { token, password })

/** Whether the hub refused a link itself, as one that is old, used or not its own. */
export const isLinkRefused = (error: unknown): boolean => error instanceof RequestFailed && error.fieldMessages['token'] !== undefined
