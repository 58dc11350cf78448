import type { AttemptCounts } from '../../platform/limits/attempt-counts.ts'

/** Map from kind of email to its rate limit: the number of emails to one account within a time. Codes have a higher limit. */
const limits = {
  'password-reset': { name: 'email password-reset', most: 1, windowMs: 120_000 },
  verification: { name: 'email verification', most: 1, windowMs: 120_000 },
  otp: { name: 'email otp', most: 30, windowMs: 600_000 },
} as const

/** Returns a function that returns true if an account may receive another email of a kind now. That email then counts. */
export function mailLimits(counts: AttemptCounts): (kind: keyof typeof limits, accountId: string) => Promise<boolean> {
  return async (kind, accountId) => (await counts.admit([{ limit: limits[kind], key: accountId }])) === undefined
}
