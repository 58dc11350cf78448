import type { Clock } from '../clock.ts'
import { countingWindows, type CountingWindows } from './counting-windows.ts'
import { networkOf } from '../network/ip-address.ts'
import { networksOf, type Networks } from '../network/networks.ts'
import { findRule, type RateLimits, type RateRule } from './rate-rules.ts'

export type AskedRequest = {
  /** From {@link rateLabels}. */
  readonly labels: readonly string[]
  readonly address: string
  readonly isGuest: boolean
}

export type RateLimiter = {
  /** Applies other rules from now on, and counts from 0. */
  readonly follow: (limits: RateLimits) => void
  readonly isOn: () => boolean
  /** Counts a request. Gives the seconds to wait for one that is too many, which does not count. */
  readonly admit: (asked: AskedRequest) => number | undefined
}

/** Limits requests by the rules that admins have set. */
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
      // Requests to one collection do not count for another; requests below a path count together.
      const key = rule.label.includes(':') ? `${networkOf(address)} ${labels[0] ?? ''}` : networkOf(address)
      return windows.admit(key)
    },
  }
}
