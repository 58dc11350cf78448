import type { WebSocket } from 'ws'

const PING_EVERY_MS = 8000
const PONG_WITHIN_MS = 10_000

/**
 * Pings while the agent has nothing to answer, paused systems' agents too (one that hears nothing for 70 s gives up); an
 * agent that is busy may not get to a ping, and the request has its own deadline. A ping without its pong ends the
 * connection. Returns the undo.
 */
export function keepAlive(socket: WebSocket, isBusy: () => boolean): () => void {
  let lost: NodeJS.Timeout | undefined
  const alive = (): void => {
    clearTimeout(lost)
    lost = undefined
  }
  socket.on('pong', alive)
  socket.on('message', alive)
  const pinging = setInterval(() => {
    if (lost !== undefined || isBusy()) return
    lost = setTimeout(() => socket.terminate(), PONG_WITHIN_MS)
    socket.ping()
  }, PING_EVERY_MS)
  return () => {
    clearInterval(pinging)
    clearTimeout(lost)
  }
}
