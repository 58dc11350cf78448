import type { SystemMonitor } from './polling/system-monitor.ts'
import type { CloseReason } from './session/agent-session.ts'

/** Agents reconnect to other hubs, which must not meet all of them at once. */
const SPREAD_MS = 10_000
/** "Going away", RFC 6455 §7.4.1: the agent reconnects. */
const DRAINED: CloseReason = { code: 1001, reason: 'this hub is drained' }

/** Closes the connections of agents that dial, spread over 10 s, so that they reconnect to another hub. Returns the function that stops it. */
export function releaseAgents(monitors: readonly Pick<SystemMonitor, 'disown'>[]): () => void {
  const timers = monitors.map((monitor, index) => setTimeout(() => monitor.disown(DRAINED), (index * SPREAD_MS) / monitors.length).unref())
  return () => timers.forEach((timer) => clearTimeout(timer))
}
