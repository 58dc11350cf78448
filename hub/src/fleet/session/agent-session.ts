import type { CborMap } from '@vedette/protocol/cbor/value'
import type { Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import type { End } from '../../platform/network/websocket-keep-alive.ts'

/**
 * Type of a request that a user can send to an agent, such as for container logs. It excludes the requests for samples and for the agent's
 * identity, which only the hub sends.
 */
export type AgentQuestion = Exclude<Request, { readonly action: 'data' | 'fingerprint' }>

/**
 * Request for one sample. Agents average rates, such as bytes a second, since the previous request with the same `cacheTimeMs`, the
 * requester's polling interval. `includeDetails`: the sample must have machine details, such as the host name.
 */
export type DocumentRequest = { readonly cacheTimeMs: number; readonly includeDetails: boolean }

/** Reason that the hub sends when it ends an agent's session: a WebSocket close code (RFC 6455 §7.4) and a short text. */
export type CloseReason = { readonly code: number; readonly reason: string }

/**
 * Open, authenticated connection to one agent over SSH or WebSocket (`link`): `fetchDocument` requests samples, `ask` all else. Every step
 * has its own timeout; failures are `AgentUnavailable`.
 */
export type AgentSession = {
  readonly link: 'ssh' | 'websocket'
  /** Version of the agent from its handshake. Empty for agents before 0.12, which report the version only in their samples. */
  readonly agentVersion: string
  /** Remote address of the connection to the agent, such as an IP address, as text for display and logs. */
  readonly peer: string
  /**
   * Fetches a sample from the agent and resolves to it as a CBOR map, which `sampleOf` converts. Agents before 0.18 ignore `includeDetails`
   * (request for machine details).
   */
  readonly fetchDocument: (request: DocumentRequest) => Promise<CborMap>
  /**
   * Sends a user's request to the agent and resolves to the reply. Rejects with AgentUnavailable, with failure "unsupported" when the agent
   * is too old for the request.
   */
  readonly ask: (question: AgentQuestion) => Promise<Reply>
  /**
   * Promise that resolves once the connection to the agent has ended. It resolves to `silent` if a WebSocket's ping got no response,
   * otherwise to `closed`. It never rejects.
   */
  readonly closed: Promise<End>
  readonly close: (farewell?: CloseReason) => void
}
