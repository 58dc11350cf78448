import * as oauth from 'oauth4webapi'
import { ownValue } from '@vedette/protocol/own-value'
import type { JsonObject } from '@vedette/protocol/wire/stats-json'
import type { Clock } from '../../platform/clock.ts'
import { checkedFetch } from '../../platform/outgoing/checked-fetch.ts'
import { plain, ProviderFailure, textIn, type Profile, type AuthorizationCode } from './profile.ts'
import { groupsClaimOf, type Provider } from './providers.ts'
import { triedClient, type TriedClient } from './tried-client.ts'

const SCOPE = 'openid email profile'
const KNOWN_FOR_MS = 600_000
const TOLERANCE_SECONDS = 60

type OidcRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | null | undefined
}

const fetching = {
  // Only addresses of this machine are admitted without TLS.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (address: string, { method, headers, body }: OidcRequest) =>
    checkedFetch(address, { method, headers, ...(body === undefined || body === null ? {} : { body: body.toString() }) }),
}

type UserInfoAccess = { readonly server: oauth.AuthorizationServer; readonly client: oauth.Client; readonly accessToken: string }

export type AskOidc = {
  /**
   * Resolves to the URL of the provider's authorization endpoint, where users sign in, and the OAuth scope to request. Both come from
   * OpenID Connect discovery; the scope has `groups` if the provider supports it.
   */
  readonly authorization: (provider: Provider) => Promise<{ readonly endpoint: string; readonly scope: string }>
  /**
   * Exchanges an authorization code at an OpenID Connect provider and resolves to the user's profile. `wantsGroups`: calls the userinfo
   * endpoint also if the id token lacks the claim about groups.
   */
  readonly profile: (provider: Provider, shown: AuthorizationCode, wantsGroups: boolean) => Promise<Profile>
  /**
   * Sends an invalid authorization code to an OpenID Connect provider. Resolves to what its error shows: whether it accepts this hub's
   * client id and secret. Throws a ProviderFailure when a request fails.
   */
  readonly tryClient: (provider: Provider, shown: AuthorizationCode) => Promise<TriedClient>
}

/**
 * Creates the client of OpenID Connect providers: authorization endpoint and scope, user profile, and test of client id and secret. It uses
 * discovery, and PKCE if the request has a code verifier. It verifies signature, times, issuer and audience of id tokens.
 */
export function askOidc(clock: Clock): AskOidc {
  const described = new Map<string, { readonly server: oauth.AuthorizationServer; readonly atMs: number }>()

  async function describe({ issuer }: Provider): Promise<oauth.AuthorizationServer> {
    const known = described.get(issuer)
    if (known !== undefined && Math.abs(clock.now() - known.atMs) < KNOWN_FOR_MS) return known.server
    try {
      const url = new URL(issuer)
      const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { ...fetching, algorithm: 'oidc' }))
      described.set(issuer, { server, atMs: clock.now() })
      return server
    } catch (error) {
      throw new ProviderFailure('discovery', error)
    }
  }

  const clientOf = ({ clientId }: Provider): oauth.Client => ({
    client_id: clientId,
    [oauth.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    [oauth.clockTolerance]: TOLERANCE_SECONDS,
  })

  /**
   * Exchanges an authorization code for tokens at the provider's token endpoint (RFC 6749, OpenID Connect). Resolves to the parsed
   * `tokens`, the HTTP response `answer`, and the OAuth client data `client`.
   */
  async function redeem(server: oauth.AuthorizationServer, provider: Provider, { code, codeVerifier, redirectUrl }: AuthorizationCode) {
    const client = clientOf(provider)
    // Clients send only the code. They have checked the state, and name the provider that they used.
    const parameters = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, iss: server.issuer }), oauth.skipStateCheck)
    const secret = oauth.ClientSecretBasic(provider.clientSecret)
    const verifier = codeVerifier === '' ? oauth.nopkce : codeVerifier
    const answer = await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, redirectUrl, verifier, fetching)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: oauth.expectNoNonce,
      requireIdToken: true,
    })
    return { client, answer, tokens }
  }

  async function profile(provider: Provider, shown: AuthorizationCode, wantsGroups: boolean): Promise<Profile> {
    const server = await describe(provider)
    try {
      const { client, answer, tokens } = await redeem(server, provider, shown)
      await oauth.validateApplicationLevelSignature(server, answer, fetching)
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      if (claims === undefined) throw new SyntaxError('there is no id token')
      const accessToken = tokens.access_token
      const { raw, ...failure } = await userInfo({ server, client, accessToken }, claims, wantsGroups ? groupsClaimOf(provider) : undefined)
      return { ...profileOf(raw), ...failure, accessToken }
    } catch (error) {
      throw error instanceof ProviderFailure ? error : new ProviderFailure('token', error)
    }
  }

  /**
   * Resolves to the claims about the user: those of the id token, and, if they lack email address or groups, those of the userinfo
   * endpoint. If that endpoint fails, it resolves with `groupsFailure` if there is an email address; otherwise throws a ProviderFailure.
   */
  async function userInfo(
    { server, client, accessToken }: UserInfoAccess,
    claims: oauth.IDToken,
    groupsClaim: string | undefined,
  ): Promise<Pick<Profile, 'raw' | 'groupsFailure'>> {
    const profileClaims = plain(claims)
    const hasGroups = groupsClaim === undefined || ownValue(profileClaims, groupsClaim) !== undefined
    if ((profileClaims['email'] !== undefined && hasGroups) || server.userinfo_endpoint === undefined) return { raw: profileClaims }
    try {
      const answer = await oauth.userInfoRequest(server, client, accessToken, fetching)
      return { raw: { ...profileClaims, ...plain(await oauth.processUserInfoResponse(server, client, claims.sub, answer)) } }
    } catch (error) {
      if (profileClaims['email'] !== undefined) return { raw: profileClaims, groupsFailure: error }
      throw new ProviderFailure('user', error)
    }
  }

  return {
    profile,
    async tryClient(provider, shown) {
      described.delete(provider.issuer)
      const server = await describe(provider)
      try {
        await redeem(server, provider, shown)
        return triedClient('', 'it gave a token for a code that it never made')
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError) return triedClient(error.error, error.error_description ?? '')
        throw new ProviderFailure('token', error)
      }
    },
    async authorization(provider) {
      const { authorization_endpoint: endpoint, scopes_supported: scopes = [] } = await describe(provider)
      if (endpoint === undefined) throw new ProviderFailure('discovery', new SyntaxError('there is no authorization endpoint'))
      return { endpoint, scope: scopes.includes('groups') ? `${SCOPE} groups` : SCOPE }
    },
  }
}

function profileOf(claims: JsonObject): Omit<Profile, 'accessToken'> {
  const verified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  return {
    id: textIn(claims, 'sub'),
    email: verified && textIn(claims, 'email') !== '' ? textIn(claims, 'email') : undefined,
    name: textIn(claims, 'name'),
    username: textIn(claims, 'preferred_username'),
    avatarUrl: textIn(claims, 'picture'),
    raw: claims,
  }
}
