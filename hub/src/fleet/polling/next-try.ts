import type { AgentSession } from '../session/agent-session.ts'

type NextTry = {
  /** The connection of the failed try. */
  readonly session: AgentSession | undefined
  readonly afterMs: number
  /** Rejects with its reason when the retry is cancelled. */
  readonly signal: AbortSignal
}

/** Waits until the next retry. An agent that lost its SSH connection does not reconnect by itself, so the hub dials it at once. */
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
