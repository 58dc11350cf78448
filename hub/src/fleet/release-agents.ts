import type { SystemMonitor } from './polling/system-monitor.ts'
import type { CloseReason } from './session/agent-session.ts'

/**
 * Time in ms (10 s) over which a hub that is about to stop spreads the closing of agents' connections. The other hubs then do not get all
 * agents at once.
 */
const SPREAD_MS = 10_000
/**
 * Close code and reason text of a WebSocket for a hub that drains (gives its agents to other hubs): 1001 "Going away" (RFC 6455 §7.4.1).
 */
const DRAINED: CloseReason = { code: 1001, reason: 'this hub is drained' }

/**
 * Closes the agents' WebSocket connections, spread over 10 s, so that these agents reconnect to other hubs. Returns a function that cancels
 * the closes that have not happened yet.
 */
export function releaseAgents(monitors: readonly Pick<SystemMonitor, 'disown'>[]): () => void {
  const timers = monitors.map((monitor, index) => setTimeout(() => monitor.disown(DRAINED), (index * SPREAD_MS) / monitors.length).unref())
  return () => timers.forEach((timer) => clearTimeout(timer))
}
