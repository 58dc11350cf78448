import type { Clock } from '../platform/clock.ts'
import { countingWindows, forgetOldest } from '../platform/limits/counting-windows.ts'
import { networkOf } from '../platform/network/ip-address.ts'

/** One attempt to sign in. */
export type Attempt = {
  /** How long to wait before it may be made, in seconds; undefined when it may be made now (and then it counts). */
  readonly waitSeconds: number | undefined
  /** Takes back what the attempt counted, and remembers that this account is used from this address. */
  readonly succeeded: () => void
}

export type Attempts = { readonly begin: (who: { readonly address: string; readonly account: string }) => Attempt }

const WINDOW_MS = 60_000
/** A minute's attempts by one address on one account: no person notices, a dictionary does. */
const MOST_BY_BOTH = 20
/** By one address on any accounts: one password tried on everybody. */
const MOST_BY_ADDRESS = 100
/** On one account from anywhere: a dictionary divided among many machines. */
const MOST_BY_ACCOUNT = 300

/**
 * Limits that slow guessing down and lock nobody out: what others do to an account does not count for an address from which
 * its owner has signed in before, and no limit lasts longer than its minute.
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
