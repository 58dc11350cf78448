import type { CborMap } from '@vedette/protocol/cbor/value'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import type { End } from '../../platform/network/websocket-keep-alive.ts'

/** Requests to an agent, other than for measurements and its identity. */
export type AgentQuestion = Exclude<Request, { readonly action: 'data' | 'fingerprint' }>

/** Request for one measurement. The agent keeps a previous measurement per `cacheTimeMs` and averages rates since that one. */
export type DocumentRequest = { readonly cacheTimeMs: number; readonly includeDetails: boolean }

/** Reason that the hub sends when it ends a session: a WebSocket close code (RFC 6455 §7.4) and a short text. */
export type CloseReason = { readonly code: number; readonly reason: string }

/** An open, authenticated connection to one agent, opened by either side. Every step has its own timeout; failures are `AgentUnavailable`. */
export type AgentSession = {
  readonly link: 'ssh' | 'websocket'
  /** Version from the agent's handshake. Empty for agents before 0.12, which report it only in their documents. */
  readonly agentVersion: string
  /** Remote address, for display. */
  readonly peer: string
  /** Fetches the document of one measurement, for `readSample`. Agents before 0.18 send no details. */
  readonly fetchDocument: (request: DocumentRequest) => Promise<CborMap>
  /** Sends any other request. Fails with "unsupported" when the agent is too old for it. */
  readonly ask: (question: AgentQuestion) => Promise<Reply>
  /** Resolves once, when either side has ended the connection. */
  readonly closed: Promise<End>
  readonly close: (farewell?: CloseReason) => void
}
