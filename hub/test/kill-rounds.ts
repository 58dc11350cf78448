const rounds = { soak: 200, long: 25 } as const

/** How often a process is killed: a few times each time, many in the long run, and most in the soak. */
export function killRounds(each: number): number {
  const { VEDETTE_SOAK: soak, VEDETTE_LONG: long } = process.env
  if (soak === '1') return rounds.soak
  return long === '1' ? rounds.long : each
}

/** Many times what they take on a quiet machine. */
export const killTimeoutMs = (count: number): number => Math.max(600_000, count * 30_000)
