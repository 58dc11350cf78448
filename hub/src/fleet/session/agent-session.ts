import type { CborMap } from '@vedette/protocol/cbor/value'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import type { End } from '../../platform/network/websocket-keep-alive.ts'

/** What the hub asks of an agent beside its measurements. */
export type AgentQuestion = Exclude<Request, { readonly action: 'data' | 'fingerprint' }>

/** One measurement: `cacheTimeMs` names the consumer, whose own previous measurement rates are averaged over. */
export type DocumentRequest = { readonly cacheTimeMs: number; readonly includeDetails: boolean }

/** Why the hub ends a session, as the agent is told: a WebSocket close code (RFC 6455 §7.4) and a short reason. */
export type CloseReason = { readonly code: number; readonly reason: string }

/**
 * A live, authenticated connection to one agent, whichever side dialled. Every step has its own deadline; failures are
 * `AgentUnavailable`.
 */
export type AgentSession = {
  readonly link: 'ssh' | 'websocket'
  /** As the agent announced it; empty for agents before 0.12, which say it only in their documents. */
  readonly agentVersion: string
  /** Where it comes from, for people. */
  readonly peer: string
  /** The combined document of one measurement, for `readSample`. Agents before 0.18 know no details. */
  readonly fetchDocument: (request: DocumentRequest) => Promise<CborMap>
  /** The reply to anything else; a failure of "unsupported" when the agent is too old for the question. */
  readonly ask: (question: AgentQuestion) => Promise<Reply>
  /** Resolves once, when the connection is over, whoever ended it. */
  readonly closed: Promise<End>
  readonly close: (farewell?: CloseReason) => void
}
