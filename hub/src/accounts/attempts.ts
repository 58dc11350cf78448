import type { AttemptCounts, CountedAttempt, CountLimit } from '../platform/limits/attempt-counts.ts'
import { networkOf } from '../platform/network/ip-address.ts'

/** Attempt to sign in, after the rate limit was checked. */
export type SignInAttempt = {
  /** Seconds until an attempt is allowed. `undefined` if the attempt is allowed now; then it counts. */
  readonly waitSeconds: number | undefined
  /**
   * Removes this attempt from the counts, and marks the client's address as familiar for the account. Called after a successful sign-in.
   */
  readonly succeeded: () => Promise<void>
}

export type Attempts = { readonly begin: (who: { readonly address: string; readonly account: string }) => Promise<SignInAttempt> }

const WINDOW_MS = 60_000
/** Maximum number of attempts per minute from one address on one account. */
const MOST_BY_BOTH = 20
/** Maximum number of attempts per minute from one address on all accounts. It limits trying one password on many accounts. */
const MOST_BY_ADDRESS = 100
/** Maximum number of attempts per minute on one account from all addresses. It limits distributed dictionary attacks. */
const MOST_BY_ACCOUNT = 300

/**
 * Creates rate limits against password guessing that lock nobody out. From an address with an earlier successful sign-in, only attempts
 * from this address on this account count. Each `purpose` has counts of its own.
 */
export function signInAttempts(counts: AttemptCounts, purpose: 'sign-in' | 'email' = 'sign-in'): Attempts {
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
