import type { Sample } from '@vedette/protocol/metrics/sample'

/**
 * A live, authenticated connection to one agent, whichever side dialled. Every step has its own deadline; failures are
 * `AgentUnavailable`.
 */
export type AgentSession = {
  readonly link: 'ssh' | 'websocket'
  /** As the agent announced it. */
  readonly agentVersion: string
  /** One full sample; `includeDetails` also asks for the machine's static facts. */
  readonly fetchSample: (options: { readonly includeDetails: boolean }) => Promise<Sample>
  /** Resolves once, when the connection is over, whoever ended it. */
  readonly closed: Promise<void>
  readonly close: () => void
}
