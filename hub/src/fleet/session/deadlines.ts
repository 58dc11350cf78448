import type { Action } from '@vedette/protocol/wire/request'

/** How long each step with an agent may take, and how long the hub waits between steps. All in milliseconds. */
export type Deadlines = {
  /** TCP alone. */
  readonly connectMs: number
  /** From the connection to the authenticated session; an agent that accepts and stays silent ends here. */
  readonly handshakeMs: number
  readonly channelMs: number
  /** A whole reply after which an agent has been quiet for this long is all there is, even when it never ends the channel. */
  readonly quietMs: number
  /** From a request over SSH to its reply. Drives are read one after the other, up to 15 s each. */
  readonly repliesMs: Readonly<Record<Action, number>>
  /** Of each try over a WebSocket; the second one waits for either answer. Silence ends within 30 s, two tries included. */
  readonly webSocketDataMs: number
  /** A lost WebSocket agent usually dials again within this time; then the loss was none. */
  readonly reconnectGraceMs: number
  /** Between two tries of one poll. */
  readonly secondTryMs: number
  /** A system that is down is tried this often. */
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
