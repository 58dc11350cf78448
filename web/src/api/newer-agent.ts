import { useQuery } from '@tanstack/react-query'
import { isOlder, VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { agentHandoutQuery } from './agent-handout-query.ts'
import type { System } from './system-record.ts'

/** Shell command that updates the agent on its machine, to be shown. `URL` in it stands for the URL of a release's folder. */
export const AGENT_UPDATE_COMMAND = 'sudo vedette-agent update --from URL'

/**
 * React hook: returns the version of the agents that this hub offers if the system's agent is older; otherwise `undefined`. The hub is
 * queried only if the agent is older than this page's own version.
 */
export function useNewerAgent({ hasOwnAgent, latest: { agentVersion = '' } }: System): string | undefined {
  const enabled = hasOwnAgent && isOlder(agentVersion, VEDETTE_VERSION)
  const { data } = useQuery({ ...agentHandoutQuery, staleTime: Number.POSITIVE_INFINITY, enabled })
  const newest = enabled ? data?.newestVersion : undefined
  return newest !== undefined && isOlder(agentVersion, newest) ? newest : undefined
}
