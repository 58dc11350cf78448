import type { WebSocket } from 'ws'

/** After this long without a word an agent is asked whether it is there; a poll a minute leaves two such moments. */
const QUIET_MS = 19_000
/** All agents that have been quiet are asked together, so that a fleet does not wake the hub for each of them. */
const TOGETHER_MS = 1000
const PONG_WITHIN_MS = 5000

/** How a connection ended: one of the two sides said so, or the other one was not heard any more. */
export type End = 'closed' | 'silent'

export type KeepAlive = {
  /** Known once the connection is over. */
  readonly end: () => End
  readonly stop: () => void
}

/**
 * Pings when the agent has been quiet and has nothing to answer, paused systems' agents too (one that hears nothing for 70 s
 * gives up); an agent that is busy may not get to a ping, and the request has its own deadline. A ping without its pong ends
 * the connection.
 */
export function keepAlive(
  socket: Pick<WebSocket, 'on' | 'ping' | 'terminate'>,
  isBusy: () => boolean,
  nowMs: () => number = () => performance.now(),
): KeepAlive {
  let lost: NodeJS.Timeout | undefined
  let end: End = 'closed'
  let quiet = setTimeout(ask, untilAsked())
  socket.on('pong', alive)
  socket.on('message', alive)

  function untilAsked(): number {
    const earliestMs = nowMs() + QUIET_MS
    return Math.ceil(earliestMs / TOGETHER_MS) * TOGETHER_MS - nowMs()
  }

  function alive(): void {
    clearTimeout(lost)
    lost = undefined
    rest()
  }

  function rest(): void {
    clearTimeout(quiet)
    quiet = setTimeout(ask, untilAsked())
  }

  function ask(): void {
    if (isBusy()) rest()
    else {
      // A hub that was held up itself first reads what has come meanwhile.
      const verdict = setTimeout(() => setImmediate(() => verdict === lost && judge()), PONG_WITHIN_MS)
      lost = verdict
      socket.ping()
    }
  }

  function judge(): void {
    lost = undefined
    if (isBusy()) return rest()
    end = 'silent'
    socket.terminate()
  }

  return {
    end: () => end,
    stop() {
      clearTimeout(quiet)
      clearTimeout(lost)
      lost = undefined
    },
  }
}
