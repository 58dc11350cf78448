import type { AgentSession } from '../session/agent-session.ts'

type NextTry = {
  /** The connection of the try that failed. */
  readonly session: AgentSession | undefined
  readonly afterMs: number
  /** Rejects with its reason when nobody waits for the try any more. */
  readonly signal: AbortSignal
}

/** Waits until another try is worth it. An agent that lost its SSH connection does not dial by itself: it is dialled at once. */
export function untilNextTry({ session, afterMs, signal }: NextTry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = (): void => reject(signal.reason)
  const timer = setTimeout(resolve, afterMs)
  if (session?.link === 'ssh') void session.closed.then(() => resolve())
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  })
}
