import { decodeDiagnosis } from '@vedette/protocol/wire/diagnosis'
import { z } from 'zod'
import { defineRoute } from '../../http/routing/define-route.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Engine } from '../../records/engine/engine.ts'
import { badRequest } from '../../records/model/record-error.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { noteInAudit } from '../../records/writing/audit-log.ts'
import type { Agents } from '../fleet.ts'
import { replyOf, unexpectedReply } from './agent-reply.ts'

type CareParts = { readonly access: Access; readonly agents: Agents; readonly engine: Pick<Engine, 'database' | 'clock'> }

/**
 * Schema of an agent's response to a request for its diagnosis: the agent's version, the time in epoch ms, and each collector, such as
 * disks. A collector has a state (works, absent, failing) and findings.
 */
const diagnosis = z.object({
  agentVersion: z.string(),
  takenAtMs: z.number(),
  collectors: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['works', 'absent', 'failing']),
      found: z.string().exactOptional(),
      skipped: z.array(z.object({ what: z.string(), why: z.string() })),
      error: z.string().exactOptional(),
      remedy: z.string().exactOptional(),
      costMs: z.number().exactOptional(),
      ageMs: z.number().exactOptional(),
    }),
  ),
})

const readDiagnosis = defineRoute('GET /api/vedette/systems/:system/diagnosis', {
  tag: 'agents',
  summary: 'What each collector of the agent found and lacks',
  access: { door: 'signed in', decidedBy: 'the update rule of systems' },
  response: diagnosis,
  headers: { 'cache-control': 'private, no-store' },
  async handle({ actor, params }, { access, agents }: CareParts) {
    const { id } = await access.updatable({ actor }, 'systems', params.system)
    const reply = await replyOf(agents.ask(id, { action: 'diagnosis' }))
    const found = reply.kind === 'diagnosis' ? decodeDiagnosis(reply.diagnosis) : undefined
    if (found === undefined) throw unexpectedReply()
    return found
  },
})

const forgetProof = defineRoute('POST /api/vedette/systems/:system/forget-proof', {
  tag: 'agents',
  summary: 'Has the agent accept a proof without a nonce again, before an older hub takes its place',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params }, { access, agents, engine }: CareParts) {
    const system = await access.updatable({ actor }, 'systems', params.system)
    await replyOf(agents.ask(system.id, { action: 'forget-proof' }))
    await note(engine, actor, 'forget hub proof', system)
  },
})

const acceptHostKey = defineRoute('POST /api/vedette/systems/:system/accept-host-key', {
  tag: 'agents',
  summary: 'Accepts the host key that was refused last',
  access: 'admin',
  response: 'nothing',
  async handle({ actor, params }, { access, agents, engine }: CareParts) {
    const system = await access.updatable({ actor }, 'systems', params.system)
    if (!(await replyOf(agents.acceptHostKey(system.id)))) throw badRequest('No host key of this system was refused.')
    await note(engine, actor, 'accept host key', system)
  },
})

export const agentCareRoutes = [readDiagnosis, forgetProof, acceptHostKey]

async function note({ database, clock }: CareParts['engine'], by: StoredRecord, action: string, system: StoredRecord): Promise<void> {
  const entry = { by, action, target: 'systems', id: system.id, name: textOf(system, 'name') }
  await database.write((unit) => noteInAudit(unit, clock.now(), entry))
}
