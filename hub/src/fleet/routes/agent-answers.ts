import { Hono, type Context } from 'hono'
import type { Agents, Asked } from '../fleet.ts'
import { engineIdOf } from '../../records/collections/containers.ts'
import type { Access } from '../../records/engine/access.ts'
import type { Actor } from '../../records/model/actor.ts'
import { badRequest, notFound, RecordError } from '../../records/model/record-error.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf, type StoredRecord } from '../../records/model/stored-record.ts'
import { propertiesJson } from './properties-json.ts'
import type { RequestContext } from '../../http/requests/request-context.ts'

export type AgentAnswerParts = {
  readonly access: Access
  readonly agents: Agents
  readonly records: Pick<RecordStore, 'load' | 'loadWhere'>
  /** Whether people may see logs and configuration of containers at all. */
  readonly containerDetails: boolean
}

/** What an agent is asked for a person: container logs and configuration, a service's properties, a reading of the drives. */
export function agentAnswersRoute(parts: AgentAnswerParts): Hono<RequestContext> {
  const { access, agents, records } = parts
  return new Hono<RequestContext>()
    .get('/api/beszel/containers/logs', async (c) => {
      const text = await containerText(c, parts, 'container-logs')
      return c.json({ logs: text }, 200, NOT_STORED)
    })
    .get('/api/beszel/containers/info', async (c) => {
      const text = await containerText(c, parts, 'container-inspect')
      return c.json({ info: text }, 200, NOT_STORED)
    })
    .get('/api/beszel/systemd/info', async (c) => {
      const actor = signedIn(c)
      const { system = '', service = '' } = c.req.query()
      if (system === '' || service === '') throw badRequest('Invalid system or service parameter.')
      const { id } = await access.viewable(actor, 'systems', system)
      const names = [service, service.replace(/\.service$/, ''), `${service}.service`]
      const known = await records.loadWhere('systemd_services', { system: id })
      const found = known.find((row) => names.includes(textOf(row, 'name')))
      if (found === undefined) throw notFound()
      const reply = await answered(agents.ask(id, { action: 'service-details', serviceName: textOf(found, 'name') }))
      if (reply.kind !== 'service') throw unexpected()
      return c.json({ details: propertiesJson(reply.properties) }, 200, { 'Cache-Control': 'private, max-age=60' })
    })
    .post('/api/beszel/smart/refresh', async (c) => {
      const actor = signedIn(c)
      if (actor['role'] === 'readonly') throw new RecordError(403, 'The authorized record is not allowed to perform this action.')
      const { system = '' } = c.req.query()
      if (system === '') throw badRequest('Invalid system parameter.')
      const { id } = await access.updatable(actor, 'systems', system)
      await answered(agents.readDrives(id))
      return c.json({ status: 'ok' })
    })
}

const NOT_STORED = { 'Cache-Control': 'private, no-store' } as const

/** First 12 to all 64 hex digits of a container's id. */
const CONTAINER_ID = /^[a-fA-F0-9]{12,64}$/

async function containerText(
  c: Context<RequestContext>,
  { access, agents, records, containerDetails }: AgentAnswerParts,
  action: 'container-logs' | 'container-inspect',
): Promise<string> {
  if (!containerDetails) throw notFound()
  const actor = signedIn(c)
  const { system = '', container = '' } = c.req.query()
  if (system === '' || !CONTAINER_ID.test(container)) throw badRequest('Invalid system or container parameter.')
  const { id } = await access.viewable(actor, 'systems', system)
  const row = await records.load('containers', container)
  const containerId = row !== undefined && row['system'] === id ? engineIdOf(row) : container
  const reply = await answered(agents.ask(id, { action, containerId }))
  if (reply.kind !== 'text') throw unexpected()
  return reply.text
}

/** Whoever asks. Throws 401 for a guest. */
export function signedIn(c: Context<RequestContext>): StoredRecord {
  const actor: Actor = c.var.actor
  if (actor === undefined) throw new RecordError(401, 'The request requires valid record authorization token.')
  return actor
}

/** An agent that does not answer is no fault of the one who asked; they are told what happened. */
export async function answered<T>(asked: Promise<Asked<T>>): Promise<T> {
  const answer = await asked
  if (!answer.ok) throw new RecordError(500, answer.reason)
  return answer.value
}

export const unexpected = (): RecordError => new RecordError(500, 'The agent answered something else than it was asked.')
