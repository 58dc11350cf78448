import type { AttemptCounts } from '../../platform/limits/attempt-counts.ts'

/**
 * Map from kind of email, such as `otp`, to its rate limit per account: at most `most` emails within `windowMs` (milliseconds). Further
 * ones are not sent. `name` identifies the counter.
 */
const limits = {
  'password-reset': { name: 'email password-reset', most: 1, windowMs: 120_000 },
  verification: { name: 'email verification', most: 1, windowMs: 120_000 },
  otp: { name: 'email otp', most: 30, windowMs: 600_000 },
} as const

/**
 * Returns a function of an email's kind and an account's id. It resolves to true and counts the email if the account may receive it now,
 * else to false.
 */
export function mailLimits(counts: AttemptCounts): (kind: keyof typeof limits, accountId: string) => Promise<boolean> {
  return async (kind, accountId) => (await counts.admit([{ limit: limits[kind], key: accountId }])) === undefined
}
