import { AGENT_UPDATE_COMMAND, useNewerAgent } from '../../api/newer-agent.ts'
import type { System } from '../../api/system-record.ts'
import { Icon } from '../../ui/icon.tsx'
import * as words from '../../words/messages.js'
import { Unknown } from './unknown.tsx'

/**
 * React component: version of the agent of `system` in the list of systems. An arrow marks an agent that is older than the one that the hub
 * offers; its tooltip has the update command.
 */
export function AgentVersion({ system }: { system: System }) {
  const newer = useNewerAgent(system)
  const version = system.latest.agentVersion
  if (version === undefined) return <Unknown />
  if (newer === undefined) return <span className="text-muted">{version}</span>
  const hint = words.agent_update({ version, newer, command: AGENT_UPDATE_COMMAND })
  return (
    <span className="relative text-muted" data-tooltip={hint}>
      {version}
      <Icon name="up" className="ml-1 inline size-3.5" />
      <span className="sr-only">{hint}</span>
    </span>
  )
}
