import { Hono } from 'hono'
import { AGENT_CONNECT_PATH, type Agents } from '../fleet.ts'
import { remoteAddress, type RequestContext } from '../../http/requests/request-context.ts'

/** Tells an agent what is wrong with its request for a connection; the good ones never come here, they are upgraded. */
export function agentConnectRoute(agents: Pick<Agents, 'refusal'>): Hono<RequestContext> {
  return new Hono<RequestContext>().get(AGENT_CONNECT_PATH, async (c) => {
    const { status, body } = await agents.refusal(c.req.header(), remoteAddress(c))
    return c.text(body, status)
  })
}
