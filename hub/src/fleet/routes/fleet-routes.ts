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

export type FleetRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly agents: Agents
  /** The agents that were built beside this hub. */
  readonly agentFiles: AgentFiles
  /** Whether people may see logs and configuration of containers at all. */
  readonly containerDetails: boolean
}

/** How agents connect and are installed, and the requests that are passed on to them. */
export const fleetRoutes: readonly Route<FleetRouteParts>[] = [
  connectAgent,
  readAgentFile,
  ...systemDetailRoutes,
  ...agentCareRoutes,
  readConfigYaml,
]
