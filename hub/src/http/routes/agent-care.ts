import { decodeDiagnosis } from '@vedette/protocol/wire/diagnosis'
import { Hono } from 'hono'
import type { Agents } from '../../fleet/fleet.ts'
import type { Access } from '../../records/access.ts'
import { isAdmin } from '../../records/actor.ts'
import { badRequest, RecordError } from '../../records/record-error.ts'
import type { Signed } from '../signed.ts'
import { answered, signedIn, unexpected } from './agent-answers.ts'

type AgentCareParts = { readonly access: Access; readonly agents: Agents }

/** What whoever manages a system needs to know and decide about its agent. */
export function agentCareRoute({ access, agents }: AgentCareParts): Hono<Signed> {
  return new Hono<Signed>()
    .get('/api/vedette/systems/:system/diagnosis', async (c) => {
      const { id } = await access.updatable(signedIn(c), 'systems', c.req.param('system'))
      const reply = await answered(agents.ask(id, { action: 'diagnosis' }))
      const diagnosis = reply.kind === 'diagnosis' ? decodeDiagnosis(reply.diagnosis) : undefined
      if (diagnosis === undefined) throw unexpected()
      return c.json(diagnosis, 200, { 'Cache-Control': 'private, no-store' })
    })
    .post('/api/vedette/systems/:system/accept-host-key', async (c) => {
      if (!isAdmin(signedIn(c))) throw new RecordError(403)
      const { id } = await access.updatable(c.var.actor, 'systems', c.req.param('system'))
      if (!(await agents.acceptHostKey(id))) throw badRequest('No host key of this system was refused.')
      return c.body(null, 204)
    })
}
