import type { Action } from '@vedette/protocol/wire/request'

/**
 * Timeouts for each step of the communication with an agent, such as connecting, and delays between tries of a poll. All values are in ms.
 */
export type Deadlines = {
  /** Timeout, in ms, of the TCP connection that the hub opens to an agent for SSH. */
  readonly connectMs: number
  /** Timeout of the SSH handshake and authentication with an agent, from the TCP connection on, in ms. */
  readonly handshakeMs: number
  readonly channelMs: number
  /**
   * Time in ms without a further byte after which a complete reply over SSH counts as finished. The hub then does not wait for the agent to
   * close the SSH channel.
   */
  readonly quietMs: number
  /**
   * Map from the kind of request to the timeout of the agent's reply, in ms. Drives (`smart`) take longest: the agent reads each one for up
   * to 15 s.
   */
  readonly repliesMs: Readonly<Record<Action, number>>
  /**
   * Timeout of each try to fetch a sample over a WebSocket, in ms. A response that arrives after the first try's timeout is accepted for
   * the second.
   */
  readonly webSocketDataMs: number
  /** Grace period, in ms, in which an agent that lost its WebSocket may reconnect before the poll of its system counts as failed. */
  readonly reconnectGraceMs: number
  /** Delay in ms between a failed try of a poll and the next try of the same poll. */
  readonly secondTryMs: number
  /** Interval in ms between two polls of a system while it is down, instead of the usual 60 s. */
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
 * Timeouts for hubs that share a database with other hubs: as `standardDeadlines`, but with a grace period of 15 s for agents to reconnect.
 * An agent may first try a hub that has just died.
 */
export const sharedDeadlines: Deadlines = { ...standardDeadlines, reconnectGraceMs: 15_000 }
