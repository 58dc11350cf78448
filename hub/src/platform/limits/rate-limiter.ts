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
  /** Goes by other rules from now on; what was counted is forgotten. */
  readonly follow: (limits: RateLimits) => void
  readonly isOn: () => boolean
  /** Counts a request. Seconds to wait for one that is too many, which does not count; undefined for any other. */
  readonly admit: (asked: AskedRequest) => number | undefined
}

/** Holds up who asks too much, by the rules admins have set. */
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
      // What is done with one collection does not count for another; what is below a path is counted together.
      const key = rule.label.includes(':') ? `${networkOf(address)} ${labels[0] ?? ''}` : networkOf(address)
      const wait = windows.wait(key)
      if (wait === undefined) windows.add(key, 1)
      return wait
    },
  }
}
