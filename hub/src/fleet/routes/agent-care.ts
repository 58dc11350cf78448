import { decodeDiagnosis } from '@vedette/protocol/wire/diagnosis'
import { Hono } from 'hono'
import type { Agents } from '../fleet.ts'
import type { Access } from '../../records/engine/access.ts'
import { isAdmin } from '../../records/model/actor.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest, RecordError } from '../../records/model/record-error.ts'
import { textOf } from '../../records/model/stored-record.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'
import { answered, signedIn, unexpected } from './agent-answers.ts'

type AgentCareParts = { readonly access: Access; readonly agents: Agents; readonly engine: Engine }

/** What whoever manages a system needs to know and decide about its agent. */
export function agentCareRoute({ access, agents, engine }: AgentCareParts): Hono<RequestContext> {
  return new Hono<RequestContext>()
    .get('/api/vedette/systems/:system/diagnosis', async (c) => {
      const { id } = await access.updatable(signedIn(c), 'systems', c.req.param('system'))
      const reply = await answered(agents.ask(id, { action: 'diagnosis' }))
      const diagnosis = reply.kind === 'diagnosis' ? decodeDiagnosis(reply.diagnosis) : undefined
      if (diagnosis === undefined) throw unexpected()
      return c.json(diagnosis, 200, { 'Cache-Control': 'private, no-store' })
    })
    .post('/api/vedette/systems/:system/forget-proof', async (c) => {
      const actor = signedIn(c)
      if (!isAdmin(actor)) throw new RecordError(403)
      const system = await access.updatable(actor, 'systems', c.req.param('system'))
      await answered(agents.ask(system.id, { action: 'forget-proof' }))
      const note = { by: actor, action: 'forget hub proof', target: 'systems', id: system.id, name: textOf(system, 'name') }
      await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), note))
      return c.body(null, 204)
    })
    .post('/api/vedette/systems/:system/accept-host-key', async (c) => {
      const actor = signedIn(c)
      if (!isAdmin(actor)) throw new RecordError(403)
      const system = await access.updatable(actor, 'systems', c.req.param('system'))
      if (!(await agents.acceptHostKey(system.id))) throw badRequest('No host key of this system was refused.')
      const note = { by: actor, action: 'accept host key', target: 'systems', id: system.id, name: textOf(system, 'name') }
      await engine.database.write((unit) => noteInAudit(unit, engine.clock.now(), note))
      return c.body(null, 204)
    })
}
