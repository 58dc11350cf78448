import type { Action } from '@vedette/protocol/wire/request'

/** Timeouts of each step with an agent, and delays between steps. All in milliseconds. */
export type Deadlines = {
  /** TCP connection only. */
  readonly connectMs: number
  /** From the TCP connection to the authenticated session. It ends agents that accept and stay silent. */
  readonly handshakeMs: number
  readonly channelMs: number
  /** Idle time after a complete reply that ends the exchange, even if the agent never closes the channel. */
  readonly quietMs: number
  /** Timeout of a request over SSH, by action. Drives are read one after the other, up to 15 s each. */
  readonly repliesMs: Readonly<Record<Action, number>>
  /** Timeout of each try over a WebSocket; the second try accepts either response. Both tries together end within 30 s. */
  readonly webSocketDataMs: number
  /** A lost WebSocket agent usually reconnects within this time; then no failure is reported. */
  readonly reconnectGraceMs: number
  /** Delay between two tries of one poll. */
  readonly secondTryMs: number
  /** Interval between tries of a system that is down. */
  readonly downEveryMs: number
}

export const standardDeadlines: Deadlines = {
  connectMs: 4000,
  handshakeMs: 8000,
  channelMs: 4000,
  quietMs: 1000,
  repliesMs: {
    data: 20_000,
    fingerprint: 10_000,
    'container-logs': 5000,
    'container-inspect': 5000,
    smart: 60_000,
    'service-details': 5000,
    diagnosis: 10_000,
    'forget-proof': 5000,
  },
  webSocketDataMs: 5000,
  reconnectGraceMs: 3000,
  secondTryMs: 2000,
  downEveryMs: 15_000,
}

/**
 * Deadlines of one of several hubs. An agent that lost its connection may dial a hub that is frozen or has just died: it waits up to 2 s, gives the
 * hub up after 5 s, and dials another one up to 6 s later.
 */
export const sharedDeadlines: Deadlines = { ...standardDeadlines, reconnectGraceMs: 15_000 }
