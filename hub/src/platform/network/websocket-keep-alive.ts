import type { WebSocket } from 'ws'

/** Idle time after which an agent is pinged. A poll every minute leaves two such pings. */
const QUIET_MS = 19_000
/** Idle agents are pinged together, so that a fleet does not wake the hub for each of them. */
const TOGETHER_MS = 1000
const PONG_WITHIN_MS = 5000

/** How a connection ended: one side closed it, or the other side stopped responding. */
export type End = 'closed' | 'silent'

export type KeepAlive = {
  /** Valid once the connection is over. */
  readonly end: () => End
  readonly stop: () => void
}

/**
 * Pings an agent that is idle and owes no reply, also of a paused system: an agent without any message for 70 s disconnects. A busy
 * agent may not answer a ping, and its request has a timeout. A ping without a pong ends the connection.
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
      // A hub that was suspended first reads messages that arrived meanwhile.
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
