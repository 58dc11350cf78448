import type { Clock } from '../clock.ts'
import { countingWindows, type CountingWindows } from './counting-windows.ts'
import { networkOf } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import { findRule, type RateLimits, type RateRule } from './rate-rules.ts'

/** A request that counts against the limits. */
export type LimitedRequest = {
  /** From {@link rateLabels}. */
  readonly labels: readonly string[]
  readonly address: string
  readonly isGuest: boolean
}

export type RateLimiter = {
  /** Replaces the rules and resets the counters. */
  readonly follow: (limits: RateLimits) => void
  readonly isOn: () => boolean
  /** Counts a request. Returns the seconds to wait when it exceeds a limit; it is not counted then. */
  readonly admit: (asked: LimitedRequest) => number | undefined
}

/** Limits requests by the admins' rules. */
export function rateLimiter(clock: Clock): RateLimiter {
  let rules: readonly RateRule[] = []
  let excluded: Networks = networksOf([])
  let counted = new Map<RateRule, CountingWindows>()

  return {
    follow({ enabled, rules: set, excludedIPs }) {
      rules = enabled ? set : []
      excluded = networksOf(excludedIPs)
      counted = new Map(rules.map((rule) => [rule, countingWindows(clock, { most: rule.maxRequests, windowMs: rule.duration * 1000 })]))
    },
    isOn: () => rules.length > 0,
    admit({ labels, address, isGuest }) {
      if (excluded.includes(address)) return undefined
      const rule = findRule(rules, labels, isGuest)
      const windows = rule && counted.get(rule)
      if (rule === undefined || windows === undefined) return undefined
      // Requests to one collection do not count for another. Requests below a path count together.
      const key = rule.label.includes(':') ? `${networkOf(address)} ${labels[0] ?? ''}` : networkOf(address)
      return windows.admit(key)
    },
  }
}
