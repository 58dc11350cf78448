/** Maximum connections of agents. One more closes the oldest connection of the same token or system. docs/hub.md lists these limits. */
export type AgentLimits = {
  /** Connections with the token of one system that have not sent their fingerprint yet. */
  readonly perToken: number
  /** Such connections with a token that many systems share. */
  readonly perSharedToken: number
  /** Connections of one system: the current one, and older ones that are closing. */
  readonly perSystem: number
}

export const standardAgentLimits: AgentLimits = { perToken: 8, perSharedToken: 16_384, perSystem: 4 }
