import { remoteAddress } from '../../http/requests/request-context.ts'
import { defineRoute } from '../../http/routing/define-route.ts'
import { AGENT_CONNECT_PATH, type Agents } from '../fleet.ts'

/**
 * HTTP route for agents' requests that are no valid WebSocket upgrade; it returns the error. Valid upgrades are handled before they reach a
 * route.
 */
export const connectAgent = defineRoute(`GET ${AGENT_CONNECT_PATH}`, {
  tag: 'agents',
  summary: "Upgrades an agent's connection to a WebSocket",
  access: { door: 'anyone', decidedBy: "the agent's token and fingerprint" },
  response: 'upgrade',
  async handle({ c }, { agents }: { readonly agents: Pick<Agents, 'refusal'> }) {
    const { status, body } = await agents.refusal(c.req.header(), remoteAddress(c))
    return c.text(body, status)
  },
})
