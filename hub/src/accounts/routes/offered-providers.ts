import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { ProviderFailure } from '../providers/profile.ts'
import { usableProviders } from '../providers/providers.ts'
import type { Log } from '../../platform/log.ts'

/**
 * Schema of an identity provider that a user can sign in with: name, sign-in URL, and the state and PKCE values of one sign-in. Older
 * clients read `authUrl`.
 */
export const offeredProvider = z.object({
  name: z.string(),
  displayName: z.string(),
  state: z.string(),
  authURL: z.string(),
  authUrl: z.string(),
  codeVerifier: z.string(),
  codeChallenge: z.string(),
  codeChallengeMethod: z.string(),
})
export type OfferedProvider = z.infer<typeof offeredProvider>

/**
 * Resolves to the identity providers that users can sign in at, each with a sign-in URL, a new state and new PKCE values. OpenID Connect
 * providers that cannot be reached are left out.
 */
export async function offeredProviders({ providers, askProvider }: Accounts, log: Log): Promise<OfferedProvider[]> {
  const offered = usableProviders(await providers.load()).map(async (provider) => {
    const [state, codeVerifier] = [randomBytes(20).toString('base64url').slice(0, 30), randomBytes(32).toString('base64url')]
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    try {
      const authUrl = await askProvider.authorizationUrl(provider, state, codeChallenge)
      const { name, displayName } = provider
      return [{ name, displayName, state, authURL: authUrl, authUrl, codeVerifier, codeChallenge, codeChallengeMethod: 'S256' }]
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // A provider that cannot be reached is left out; the others stay.
      log.warn('sign-in provider not available', { provider: provider.name, error })
      return []
    }
  })
  return (await Promise.all(offered)).flat()
}
