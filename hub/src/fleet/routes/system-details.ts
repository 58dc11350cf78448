import { z } from 'zod'
import { defineRoute, admit, notAllowed } from '../../http/routing/define-route.ts'
import { typedObject, wholeNumber } from '../../http/routing/field-schemas.ts'
import { engineIdOf } from '../../records/collections/containers.ts'
import type { Access } from '../../records/engine/access.ts'
import { badRequest, notFound } from '../../records/model/record-error.ts'
import type { RecordStore } from '../../records/model/record-store.ts'
import { textOf } from '../../records/model/stored-record.ts'
import type { Agents } from '../fleet.ts'
import type { AgentQuestion } from '../session/agent-session.ts'
import { replyOf, unexpectedReply } from './agent-reply.ts'
import { propertiesJson } from './properties-json.ts'

type DetailParts = {
  readonly access: Access
  readonly agents: Agents
  readonly engine: { readonly store: Pick<RecordStore, 'load' | 'loadWhere'> }
}

/** Regular expression that matches a Docker container id: 12 to 64 hex digits. */
const CONTAINER_ID = /^[a-fA-F0-9]{12,64}$/

const access = { door: 'signed in', decidedBy: 'the view rule of systems' } as const

type ContainerParts = DetailParts & { readonly containerDetails: boolean }
type ContainerQuery = { readonly system: string; readonly container: string }

// A hub without container details responds with 404 to guests too.
const containerAccess = { door: 'anyone', decidedBy: 'the session and the view rule of systems' } as const
const containerQuery = z.object({ system: z.string().default(''), container: z.string().default('') })
const uncached = { 'cache-control': 'private, no-store' }

/**
 * Requests a text about a container, its logs or its configuration, from the system's agent and resolves to it. Throws 404 or 403 if the
 * user may not view it, 400 for an invalid id, and 500 if the agent fails.
 */
async function containerText(
  c: Parameters<typeof admit>[0],
  { system, container }: ContainerQuery,
  parts: ContainerParts,
  requestOf: (containerId: string) => AgentQuestion,
): Promise<string> {
  if (!parts.containerDetails) throw notFound()
  const { actor } = admit(c, 'signed in')
  if (system === '' || !CONTAINER_ID.test(container)) throw badRequest('Invalid system or container parameter.')
  const { id } = await parts.access.viewable({ actor }, 'systems', system)
  const row = await parts.engine.store.load('containers', container)
  const containerId = row !== undefined && row['system'] === id ? engineIdOf(row) : container
  const reply = await replyOf(parts.agents.ask(id, requestOf(containerId)))
  if (reply.kind !== 'text') throw unexpectedReply()
  return reply.text
}

const readLogs = defineRoute('GET /api/beszel/containers/logs', {
  tag: 'agents',
  summary: 'The last log lines of a container; with `since` (epoch seconds or 0) those from then on, behind their times',
  access: containerAccess,
  query: containerQuery.extend({ since: wholeNumber.nonnegative('Must be no less than 0.').optional() }),
  response: z.object({ logs: z.string() }),
  headers: uncached,
  async handle({ c, query: { since, ...query } }, parts: ContainerParts) {
    const time = since === undefined ? {} : { sinceSeconds: since }
    return { logs: await containerText(c, query, parts, (containerId) => ({ action: 'container-logs', containerId, ...time })) }
  },
})

const readInfo = defineRoute('GET /api/beszel/containers/info', {
  tag: 'agents',
  summary: 'The configuration of a container',
  access: containerAccess,
  query: containerQuery,
  response: z.object({ info: z.string() }),
  headers: uncached,
  async handle({ c, query }, parts: ContainerParts) {
    return { info: await containerText(c, query, parts, (containerId) => ({ action: 'container-inspect', containerId })) }
  },
})

const readService = defineRoute('GET /api/beszel/systemd/info', {
  tag: 'agents',
  summary: 'The properties of a systemd service',
  access,
  query: z.object({ system: z.string().default(''), service: z.string().default('') }),
  response: z.object({ details: typedObject() }),
  headers: { 'cache-control': 'private, max-age=60' },
  async handle({ actor, query: { system, service } }, parts: DetailParts) {
    if (system === '' || service === '') throw badRequest('Invalid system or service parameter.')
    const { id } = await parts.access.viewable({ actor }, 'systems', system)
    const names = [service, service.replace(/\.service$/, ''), `${service}.service`]
    const known = await parts.engine.store.loadWhere('systemd_services', { system: id })
    const found = known.find((row) => names.includes(textOf(row, 'name')))
    if (found === undefined) throw notFound()
    const reply = await replyOf(parts.agents.ask(id, { action: 'service-details', serviceName: textOf(found, 'name') }))
    if (reply.kind !== 'service') throw unexpectedReply()
    return { details: propertiesJson(reply.properties) }
  },
})

const refreshDrives = defineRoute('POST /api/beszel/smart/refresh', {
  tag: 'agents',
  summary: 'Has the agent read the drives now',
  access: { door: 'signed in', decidedBy: 'the role and the update rule of systems' },
  query: z.object({ system: z.string().default('') }),
  response: z.object({ status: z.literal('ok') }),
  async handle({ actor, query: { system } }, parts: DetailParts) {
    if (actor['role'] === 'readonly') throw notAllowed()
    if (system === '') throw badRequest('Invalid system parameter.')
    const { id } = await parts.access.updatable({ actor }, 'systems', system)
    await replyOf(parts.agents.readDrives(id))
    return { status: 'ok' as const }
  },
})

/**
 * List of the HTTP routes whose requests the hub forwards to a system's agent: container logs and configuration, systemd services, drives.
 */
export const systemDetailRoutes = [readLogs, readInfo, readService, refreshDrives]
