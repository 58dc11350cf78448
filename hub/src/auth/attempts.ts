import { isIPv6 } from 'node:net'
import type { Clock } from '../clock.ts'

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
/** Remembered at once; beyond it the oldest are forgotten. */
const MOST_REMEMBERED = 10_000

/**
 * Limits that slow guessing down and lock nobody out: what others do to an account does not count for an address from which
 * its owner has signed in before, and no limit lasts longer than its minute.
 */
export function signInAttempts(clock: Clock): Attempts {
  const byBoth = windows(clock, MOST_BY_BOTH)
  const byAddress = windows(clock, MOST_BY_ADDRESS)
  const byAccount = windows(clock, MOST_BY_ACCOUNT)
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

type Window = { readonly sinceMs: number; readonly count: number }

function windows(clock: Clock, most: number) {
  const known = new Map<string, Window>()
  const current = (key: string): Window => {
    const nowMs = clock.now()
    const found = known.get(key)
    // A clock that stepped back would keep somebody waiting for as long as it did.
    return found === undefined || nowMs - found.sinceMs >= WINDOW_MS || nowMs < found.sinceMs ? { sinceMs: nowMs, count: 0 } : found
  }
  return {
    wait(key: string): number | undefined {
      const { sinceMs, count } = current(key)
      return count < most ? undefined : Math.max(1, Math.ceil((sinceMs + WINDOW_MS - clock.now()) / 1000))
    },
    add(key: string, more: number): void {
      const { sinceMs, count } = current(key)
      known.delete(key)
      known.set(key, { sinceMs, count: Math.max(0, count + more) })
      forgetOldest(known)
    },
    forget: (key: string) => known.delete(key),
  }
}

function remember(set: Set<string>, key: string): void {
  set.delete(key)
  set.add(key)
  forgetOldest(set)
}

function forgetOldest(remembered: Map<string, unknown> | Set<string>): void {
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}

/** Who has one IPv6 address has 2^64 of them: there the network counts. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [front = '', back] = plain.split('::')
  const before = front === '' ? [] : front.split(':')
  const after = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
