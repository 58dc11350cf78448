/** How many agents may be connected at once. One more costs the oldest connection of the same token or system. docs/hub.md lists these limits. */
export type AgentLimits = {
  /** Connections that showed the token of one system and did not say yet which machine they are. */
  readonly perToken: number
  /** The same of a token that many systems share. */
  readonly perSharedToken: number
  /** Connections of one system: the one in use, and older ones that are closing. */
  readonly perSystem: number
}

export const standardAgentLimits: AgentLimits = { perToken: 8, perSharedToken: 16_384, perSystem: 4 }
