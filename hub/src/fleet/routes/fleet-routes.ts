import type { Route } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { AgentFiles } from '../enrolment/agent-files.ts'
import type { Agents } from '../fleet.ts'
import { agentCareRoutes } from './agent-care.ts'
import { connectAgent } from './agent-connect.ts'
import { readAgentFile } from './agent-files.ts'
import { readConfigYaml } from './config-yaml.ts'
import { systemDetailRoutes } from './system-details.ts'
import { tagRoutes } from './tags.ts'

export type FleetRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly agents: Agents
  /** Service for the agent programs that this hub offers for download; the routes below `/agent/` list and send them. */
  readonly agentFiles: AgentFiles
  /**
   * Setting of the operator for logs and configuration of containers. True: users who may view a system may see those of its containers.
   * False: the routes respond with 404.
   */
  readonly containerDetails: boolean
}

/**
 * List of the hub's HTTP routes for agents: their connections, the downloads of agent programs, and users' requests that the hub forwards
 * to agents.
 */
export const fleetRoutes: readonly Route<FleetRouteParts>[] = [
  connectAgent,
  readAgentFile,
  ...systemDetailRoutes,
  ...agentCareRoutes,
  readConfigYaml,
  ...tagRoutes,
]
