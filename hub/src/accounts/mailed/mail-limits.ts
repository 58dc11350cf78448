import type { Clock } from '../../platform/clock.ts'
import { countingWindows } from '../../platform/limits/counting-windows.ts'

/** Limits of emails by kind to one account. People request a code again after a typing error, and a link after a lost email. */
const limits = {
  'password-reset': { most: 1, windowMs: 120_000 },
  verification: { most: 1, windowMs: 120_000 },
  otp: { most: 30, windowMs: 600_000 },
} as const

/** Returns a function that tells if an account may receive another email of a kind now. An allowed one counts. */
export function mailLimits(clock: Clock): (kind: keyof typeof limits, accountId: string) => boolean {
  const windows = {
    'password-reset': countingWindows(clock, limits['password-reset']),
    verification: countingWindows(clock, limits.verification),
    otp: countingWindows(clock, limits.otp),
  }
  return (kind, accountId) => windows[kind].admit(accountId) === undefined
}
