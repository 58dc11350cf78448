import type { AttemptCounts, Counted, CountLimit } from '../platform/limits/attempt-counts.ts'
import { networkOf } from '../platform/network/ip-address.ts'

/** One attempt to sign in. */
export type Attempt = {
  /** Seconds until the attempt is allowed. Undefined if it is allowed now; then it counts. */
  readonly waitSeconds: number | undefined
  /** Reverts the count of this attempt, and marks the address as familiar for this account. */
  readonly succeeded: () => Promise<void>
}

export type Attempts = { readonly begin: (who: { readonly address: string; readonly account: string }) => Promise<Attempt> }

const WINDOW_MS = 60_000
/** Attempts per minute from one address on one account. A person does not reach this number; a dictionary attack does. */
const MOST_BY_BOTH = 20
/** Attempts per minute from one address on all accounts. Limits trying one password on many accounts. */
const MOST_BY_ADDRESS = 100
/** Attempts per minute on one account from all addresses. Limits distributed dictionary attacks. */
const MOST_BY_ACCOUNT = 300

/**
 * Rate limits against password guessing that lock nobody out. Attempts by others do not count for an address from which the owner has
 * signed in before, and no limit lasts longer than 1 minute. Attempts of another `purpose` are counted apart.
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
      const byOthers: readonly Counted[] = (await counts.isRemembered(familiarKey))
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
