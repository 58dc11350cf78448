import type { WebSocket } from 'ws'

/**
 * Time without a message on an agent's WebSocket after which the hub sends a ping, in ms (19 s). Between two polls a minute apart there are
 * two pings.
 */
const QUIET_MS = 19_000
/**
 * Step in ms (1 s) to which the times of pings on agents' WebSockets are rounded up. Thousands of connections are then pinged together,
 * which wakes the hub less often.
 */
const TOGETHER_MS = 1000
const PONG_WITHIN_MS = 5000

/** Way in which an agent's WebSocket ended: `closed` by one side, or `silent` because a ping got no response. */
export type End = 'closed' | 'silent'

export type KeepAlive = {
  /**
   * Returns the reason why the WebSocket ended: `closed`, or `silent` when a ping got no pong. Call it only after the connection has ended.
   */
  readonly end: () => End
  readonly stop: () => void
}

/**
 * Starts keep-alive pings on an agent's WebSocket. While `isBusy` returns true (a request is open) no ping is sent, because requests have
 * their own timeout. If neither a pong nor a message arrives within 5 s of a ping, the connection ends, unless a request is open then.
 * Agents disconnect after 70 s without a message.
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
      // After a suspend of the hub, messages that have already arrived are read first.
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
