import { roundsOf } from './longer-runs.ts'

/** How often a process is killed: a few times each time, many in the long run, and most in the soak. */
export const killRounds = (each: number, long = 25): number => roundsOf({ short: each, long, soak: 200 })

/** Many times what they take on a quiet machine. */
export const killTimeoutMs = (count: number): number => Math.max(600_000, count * 30_000)
