import type { Clock } from '../platform/clock.ts'
import { countingWindows, forgetOldest } from '../platform/limits/counting-windows.ts'
import { networkOf } from '../platform/network/ip-address.ts'

/** One attempt to sign in. */
export type Attempt = {
  /** Seconds until the attempt is allowed. Undefined if it is allowed now; then it counts. */
  readonly waitSeconds: number | undefined
  /** Reverts the count of this attempt, and marks the address as familiar for this account. */
  readonly succeeded: () => void
}

export type Attempts = { readonly begin: (who: { readonly address: string; readonly account: string }) => Attempt }

const WINDOW_MS = 60_000
/** Attempts per minute from one address on one account. A person does not reach this number; a dictionary attack does. */
const MOST_BY_BOTH = 20
/** Attempts per minute from one address on all accounts. Limits trying one password on many accounts. */
const MOST_BY_ADDRESS = 100
/** Attempts per minute on one account from all addresses. Limits distributed dictionary attacks. */
const MOST_BY_ACCOUNT = 300

/**
 * Rate limits against password guessing that lock nobody out. Attempts by others do not count for an address from which the owner has
 * signed in before, and no limit lasts longer than 1 minute.
 */
export function signInAttempts(clock: Clock): Attempts {
  const byBoth = countingWindows(clock, { most: MOST_BY_BOTH, windowMs: WINDOW_MS })
  const byAddress = countingWindows(clock, { most: MOST_BY_ADDRESS, windowMs: WINDOW_MS })
  const byAccount = countingWindows(clock, { most: MOST_BY_ACCOUNT, windowMs: WINDOW_MS })
  const familiar = new Set<string>()
  return {
    begin({ address, account }) {
      const network = networkOf(address)
      const name = account.toLowerCase()
      const both = `${network} ${name}`
      const limits = [
        { windows: byBoth, key: both },
        ...(familiar.has(both)
          ? []
          : [
              { windows: byAddress, key: network },
              { windows: byAccount, key: name },
            ]),
      ]
      const waits = limits.map(({ windows: counted, key }) => counted.wait(key)).filter((wait) => wait !== undefined)
      if (waits.length > 0) return { waitSeconds: Math.max(...waits), succeeded: () => {} }
      for (const { windows: counted, key } of limits) counted.add(key, 1)
      return {
        waitSeconds: undefined,
        succeeded() {
          byBoth.forget(both)
          for (const { windows: counted, key } of limits.slice(1)) counted.add(key, -1)
          remember(familiar, both)
        },
      }
    },
  }
}

function remember(set: Set<string>, key: string): void {
  set.delete(key)
  set.add(key)
  forgetOldest(set)
}
