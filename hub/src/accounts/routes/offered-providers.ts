import { createHash, randomBytes } from 'node:crypto'
import type { Accounts } from '../accounts.ts'
import { ProviderFailure } from '../providers/profile.ts'
import type { Log } from '../../platform/log.ts'

/** What a client needs to send somebody to a provider. */
export async function offeredProviders({ providers, askProvider }: Accounts, log: Log) {
  const { enabled, providers: all } = await providers.load()
  const offered = (enabled ? all : []).map(async (provider) => {
    const [state, codeVerifier] = [randomBytes(20).toString('base64url').slice(0, 30), randomBytes(32).toString('base64url')]
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
    try {
      const authUrl = await askProvider.authorizationUrl(provider, state, codeChallenge)
      const { name, displayName } = provider
      return [{ name, displayName, state, authURL: authUrl, authUrl, codeVerifier, codeChallenge, codeChallengeMethod: 'S256' }]
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // Whoever cannot be reached is not offered; the others are.
      log.warn('provider not offered', { provider: provider.name, error })
      return []
    }
  })
  return (await Promise.all(offered)).flat()
}
