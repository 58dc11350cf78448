import type { Hono } from 'hono'
import type { RequestContext } from '../../http/requests/request-context.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import type { AgentFiles } from '../enrolment/agent-files.ts'
import type { Agents } from '../fleet.ts'
import { agentAnswersRoute } from './agent-answers.ts'
import { agentCareRoute } from './agent-care.ts'
import { agentConnectRoute } from './agent-connect.ts'
import { agentFilesRoute } from './agent-files.ts'
import { configYamlRoute } from './config-yaml.ts'

export type FleetRouteParts = {
  readonly engine: Engine
  readonly access: Access
  readonly agents: Agents
  /** The agents that were built beside this hub. */
  readonly agentFiles: AgentFiles
  /** Whether people may see logs and configuration of containers at all. */
  readonly containerDetails: boolean
}

/** Agents: how they connect and are installed, and the questions that are passed on to them. */
export function fleetRoutes({ engine, access, agents, agentFiles, containerDetails }: FleetRouteParts): readonly Hono<RequestContext>[] {
  return [
    agentConnectRoute(agents),
    agentFilesRoute(agentFiles),
    agentAnswersRoute({ access, agents, records: engine.store, containerDetails }),
    agentCareRoute({ access, agents, engine }),
    configYamlRoute(engine.store),
  ]
}
