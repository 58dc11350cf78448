import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import { z } from 'zod'
import { checkedFetch } from '../../platform/outgoing/checked-fetch.ts'
import { text } from '../../records/model/field-errors.ts'
import { plain, ProviderFailure, textIn, type Profile, type AuthorizationCode } from './profile.ts'
import type { Provider } from './providers.ts'
import { triedClient, type TriedClient } from './tried-client.ts'

const accept = { accept: 'application/json', 'user-agent': 'Vedette' }

/**
 * Exchanges an authorization code at GitHub. Returns GitHub's JSON response: a token or an error. Throws a ProviderFailure when the request
 * fails.
 */
async function redeem(
  { issuer, clientId, clientSecret }: Provider,
  { code, codeVerifier, redirectUrl }: AuthorizationCode,
): Promise<JsonObject> {
  const form = { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUrl, code_verifier: codeVerifier }
  try {
    const headers = { ...accept, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(form).toString()
    return plain((await json(`${issuer}/login/oauth/access_token`, { method: 'POST', headers, body })) ?? {})
  } catch (error) {
    throw new ProviderFailure('token', error)
  }
}

/**
 * Sends an invalid authorization code to GitHub and returns what the error shows: whether GitHub accepts this hub's client id and secret.
 * Throws a ProviderFailure when the request fails.
 */
export async function tryGitHub(provider: Provider, shown: AuthorizationCode): Promise<TriedClient> {
  const answer = await redeem(provider, shown)
  return triedClient(textIn(answer, 'error'), textIn(answer, 'error_description'))
}

/**
 * Exchanges an authorization code (OAuth 2.0) at GitHub and resolves to the user's profile. Its email address is the primary one, if GitHub
 * has verified it. Throws a ProviderFailure.
 */
export async function gitHubProfile(provider: Provider, shown: AuthorizationCode): Promise<Profile> {
  const accessToken = textIn(await redeem(provider, shown), 'access_token')
  if (accessToken === '') throw new ProviderFailure('token', new SyntaxError('there is no access token'))
  try {
    const api = provider.issuer === 'https://github.com' ? 'https://api.github.com' : `${provider.issuer}/api/v3`
    const headers = { ...accept, authorization: `Bearer ${accessToken}` }
    const raw = plain((await json(`${api}/user`, { headers })) ?? {})
    const user = userSchema.parse(raw)
    const addresses = addressesSchema.parse(await json(`${api}/user/emails`, { headers }))
    return {
      id: String(user.id),
      email: addresses.find((one) => one.primary && one.verified)?.email,
      name: user.name,
      username: user.login,
      avatarUrl: user.avatar_url,
      accessToken,
      raw,
    }
  } catch (error) {
    throw new ProviderFailure('user', error)
  }
}

const isTrue = z.unknown().transform((value) => value === true)
const userSchema = z.object({ id: z.number(), name: text(), login: text(), avatar_url: text() })
const addressesSchema = z.array(z.object({ email: text(), primary: isTrue, verified: isTrue })).catch([])

async function json(url: string, request: Parameters<typeof checkedFetch>[1]): Promise<object | undefined> {
  const answer = await checkedFetch(url, request)
  if (!answer.ok) throw new SyntaxError(`it answered ${answer.status}`)
  const value: unknown = await answer.json()
  return typeof value === 'object' && value !== null ? value : undefined
}
