import { useQuery } from '@tanstack/react-query'
import { isOlder, VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { agentHandoutQuery } from './agent-handout-query.ts'
import type { System } from './system-record.ts'

/**
 * Shell command for display that updates the agent on its machine. In it, `URL` is a placeholder for the URL of the folder with a release's
 * files.
 */
export const AGENT_UPDATE_COMMAND = 'sudo vedette-agent update --from URL'

/**
 * React hook: returns the version of the agents that this hub offers if the system has an older Vedette agent; otherwise `undefined`. The
 * hub is queried only if the agent is older than this page's own version.
 */
export function useNewerAgent({ hasOwnAgent, latest: { agentVersion = '' } }: System): string | undefined {
  const enabled = hasOwnAgent && isOlder(agentVersion, VEDETTE_VERSION)
  const { data } = useQuery({ ...agentHandoutQuery, staleTime: Number.POSITIVE_INFINITY, enabled })
  const newest = enabled ? data?.newestVersion : undefined
  return newest !== undefined && isOlder(agentVersion, newest) ? newest : undefined
}
