import type { AttemptCounts, CountedAttempt, CountLimit } from '../platform/limits/attempt-counts.ts'
import { networkOf } from '../platform/network/ip-address.ts'

/** Result of the rate-limit check for one attempt to sign in: the time to wait, and a function to call after success. */
export type SignInAttempt = {
  /** Seconds until the client may try again. `undefined` if this attempt is allowed; then it is counted. */
  readonly waitSeconds: number | undefined
  /**
   * Call it after a successful sign-in. It resets the counter of this network and account, and takes this attempt off the separate counters
   * of network and account. It stores the network as familiar for this account.
   */
  readonly succeeded: () => Promise<void>
}

export type Attempts = { readonly begin: (who: { readonly address: string; readonly account: string }) => Promise<SignInAttempt> }

const WINDOW_MS = 60_000
/**
 * Maximum number of attempts to sign in per minute from one network on one account: 20. A network is an IPv4 address, or the first 64 bits
 * of an IPv6 address.
 */
const MOST_BY_BOTH = 20
/**
 * Maximum number of attempts to sign in per minute from one network on all accounts to which it has not signed in before: 100. It limits
 * trying one password on many accounts.
 */
const MOST_BY_ADDRESS = 100
/**
 * Maximum number of attempts to sign in per minute on one account from all networks that have not signed in to it before: 300. It limits
 * distributed dictionary attacks.
 */
const MOST_BY_ACCOUNT = 300

/**
 * Creates a rate limiter. Its `begin` counts an attempt by client network and account, and resolves to a `SignInAttempt`. For a network
 * with an earlier success on the account, only the limit for both together applies. Each `purpose` (`sign-in`, `email`, `link`) has its own
 * counters.
 */
export function signInAttempts(counts: AttemptCounts, purpose: 'sign-in' | 'email' | 'link' = 'sign-in'): Attempts {
  const limit = (name: string, most: number): CountLimit => ({ name: `${purpose} ${name}`, most, windowMs: WINDOW_MS })
  const byBoth = limit('both', MOST_BY_BOTH)
  const byAddress = limit('address', MOST_BY_ADDRESS)
  const byAccount = limit('account', MOST_BY_ACCOUNT)
  return {
    async begin({ address, account }) {
      const network = networkOf(address)
      const name = account.toLowerCase()
      const both = { limit: byBoth, key: `${network} ${name}` }
      const familiarKey = `${purpose} ${both.key}`
      const byOthers: readonly CountedAttempt[] = (await counts.isRemembered(familiarKey))
        ? []
        : [
            { limit: byAddress, key: network },
            { limit: byAccount, key: name },
          ]
      const waitSeconds = await counts.admit([both, ...byOthers])
      if (waitSeconds !== undefined) return { waitSeconds, succeeded: async () => {} }
      return {
        waitSeconds,
        async succeeded() {
          await counts.reset(both)
          await counts.revert(byOthers)
          await counts.remember(familiarKey)
        },
      }
    },
  }
}
