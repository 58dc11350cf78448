import { AgentUnavailable } from './fleet-errors.ts'

/** The promise's outcome, or a failure of "silent" after `ms`; the loser is left alone and its rejection is swallowed by the race. */
export async function within<T>(ms: number, step: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new AgentUnavailable('silent', `The agent did not ${step} within ${ms / 1000} s`))
    // A hub that was held up itself first reads what has come meanwhile.
    timer = setTimeout(() => setImmediate(giveUp), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
