import { randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import { gitHubProfile, tryGitHub } from './ask-github.ts'
import type { AskOidc } from './ask-oidc.ts'
import type { Profile, AuthorizationCode } from './profile.ts'
import { howToAsk, type Provider } from './providers.ts'
import type { TriedClient } from './tried-client.ts'

export type AskProvider = {
  /**
   * Resolves to the URL at which a user signs in at the provider. It ends with `&redirect_uri=`, to which the dashboard appends its own
   * URL. Throws a ProviderFailure.
   */
  readonly authorizationUrl: (provider: Provider, state: string, codeChallenge: string) => Promise<string>
  /**
   * Exchanges an authorization code at an identity provider and resolves to the user's profile, with `wantsGroups` also the claim about
   * groups. Throws a ProviderFailure.
   */
  readonly profile: (provider: Provider, shown: AuthorizationCode, wantsGroups?: boolean) => Promise<Profile>
  /**
   * Sends an invalid authorization code to an identity provider and returns what the error shows: whether it accepts this hub's client id
   * and secret. Throws a ProviderFailure when the request fails.
   */
  readonly tryClient: (provider: Provider, redirectUrl: string) => Promise<TriedClient>
}

/**
 * Creates the client of all kinds of identity providers: sign-in URL, user profile, and test of client id and secret. GitHub uses OAuth
 * 2.0, the others OpenID Connect.
 */
export function askProvider(clock: Clock): AskProvider {
  let loading: Promise<AskOidc> | undefined
  /** Resolves to the client of OpenID Connect providers. It is loaded at the first request to a provider, because most hubs have none. */
  const oidc = (): Promise<AskOidc> => (loading ??= import('./ask-oidc.ts').then(({ askOidc }) => askOidc(clock)))

  return {
    async authorizationUrl(provider, state, codeChallenge) {
      const isOidc = howToAsk(provider.name) === 'oidc'
      const { endpoint, scope } = isOidc
        ? await (await oidc()).authorization(provider)
        : { endpoint: `${provider.issuer}/login/oauth/authorize`, scope: 'read:user user:email' }
      const url = new URL(endpoint)
      const parameters = {
        client_id: provider.clientId,
        response_type: 'code',
        scope,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      // Clients append the redirect URL.
      return `${url.href}&redirect_uri=`
    },
    profile: async (provider, shown, wantsGroups = false) =>
      howToAsk(provider.name) === 'oidc' ? (await oidc()).profile(provider, shown, wantsGroups) : gitHubProfile(provider, shown),
    async tryClient(provider, redirectUrl) {
      const shown = { code: randomBytes(20).toString('hex'), codeVerifier: randomBytes(32).toString('base64url'), redirectUrl }
      return howToAsk(provider.name) === 'oidc' ? (await oidc()).tryClient(provider, shown) : tryGitHub(provider, shown)
    },
  }
}
