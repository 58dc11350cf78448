import { useQuery } from '@tanstack/react-query'
import { isOlder, VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { agentHandoutQuery } from './agent-handout-query.ts'
import type { System } from './system-record.ts'

/** Command that updates an agent on its machine. `URL` stands for the address of a release. */
export const AGENT_UPDATE_COMMAND = 'sudo vedette-agent update --from URL'

/**
 * React hook: version of the hub's agents if the system's agent is older; else `undefined`. Requests the hub's list of agents only for an
 * agent that is older than this page.
 */
export function useNewerAgent({ hasOwnAgent, latest: { agentVersion = '' } }: System): string | undefined {
  const enabled = hasOwnAgent && isOlder(agentVersion, VEDETTE_VERSION)
  const { data } = useQuery({ ...agentHandoutQuery, staleTime: Number.POSITIVE_INFINITY, enabled })
  const newest = enabled ? data?.newestVersion : undefined
  return newest !== undefined && isOlder(agentVersion, newest) ? newest : undefined
}
