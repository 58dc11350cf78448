import type { Clock } from '../clock.ts'
import { countingWindows, type CountingWindows } from './counting-windows.ts'
import { networkOf } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import { findRule, type RateLimits, type RateRule } from './rate-rules.ts'

/**
 * Data of an API request by which rate limits apply: its labels, client address, and whether it has no session (`isGuest`). Labels are
 * texts such as `POST /api/batch` or `users:auth`.
 */
export type LimitedRequest = {
  /** List of the texts of the request that labels of rate-limit rules can match, from {@link rateLabels}, most specific first. */
  readonly labels: readonly string[]
  readonly address: string
  readonly isGuest: boolean
}

export type RateLimiter = {
  /** Replaces the rate-limit rules by those of the settings `limits` and resets all counters. */
  readonly follow: (limits: RateLimits) => void
  readonly isOn: () => boolean
  /**
   * Counts a request by the rate-limit rule that applies, and returns `undefined`. If it exceeds the limit, returns the seconds to wait and
   * does not count it. Without such a rule, and for exempt addresses, nothing is counted.
   */
  readonly admit: (asked: LimitedRequest) => number | undefined
}

/** Creates the rate limiter of API requests. It has no rules until `follow` gets those that admins set in the settings. */
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
      // For a rule about collections each collection has its own counter. Requests below a path share one counter.
      const key = rule.label.includes(':') ? `${networkOf(address)} ${labels[0] ?? ''}` : networkOf(address)
      return windows.admit(key)
    },
  }
}
