import type { Clock } from '../../platform/clock.ts'

type Limit = { readonly most: number; readonly windowMs: number }

/** How many letters of a kind one account is sent. A code is asked for again by who mistyped it, a link by who missed it. */
const limits: Readonly<Record<'password-reset' | 'verification' | 'otp', Limit>> = {
  'password-reset': { most: 1, windowMs: 120_000 },
  verification: { most: 1, windowMs: 120_000 },
  otp: { most: 30, windowMs: 600_000 },
}

const MOST_REMEMBERED = 10_000

/** Whether an account may be sent one more letter of a kind now; then it counts. */
export function letterLimits(clock: Clock): (kind: keyof typeof limits, accountId: string) => boolean {
  const sentMs = new Map<string, readonly number[]>()
  return (kind, accountId) => {
    const { most, windowMs } = limits[kind]
    const key = `${kind} ${accountId}`
    const nowMs = clock.now()
    const recent = (sentMs.get(key) ?? []).filter((atMs) => nowMs - atMs >= 0 && nowMs - atMs < windowMs)
    if (recent.length >= most) return false
    sentMs.delete(key)
    sentMs.set(key, [...recent, nowMs])
    const [oldest] = sentMs.keys()
    if (sentMs.size > MOST_REMEMBERED && oldest !== undefined) sentMs.delete(oldest)
    return true
  }
}
