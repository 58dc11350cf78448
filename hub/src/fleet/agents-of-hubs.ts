import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { isCborMap, type CborValue } from '@vedette/protocol/cbor/value'
import { decodeEnvelope, encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { decodeRequest, encodeRequest } from '@vedette/protocol/wire/request'
import { z } from 'zod'
import { HubUnreachableError, type HubMessages } from '../platform/cluster/hub-messages.ts'
import { parseJson } from '../platform/json.ts'
import { firstTime } from '../platform/limits/first-time.ts'
import type { Log } from '../platform/log.ts'
import type { SecretBox } from '../platform/secrets/secret-box.ts'
import { utf8 } from '../platform/utf8.ts'
import type { AgentResult, Agents } from './fleet.ts'
import type { AgentQuestion } from './session/agent-session.ts'
import type { Deadlines } from './session/deadlines.ts'
import { expectedReplies } from './session/exchange.ts'
import { AgentUnavailable } from './session/fleet-errors.ts'

/**
 * Functions that find out which hub owns (polls) a system, by the system's id. `owns` returns true if it is this hub itself; `ownerOf`
 * resolves to the owner hub's id.
 */
export type SystemOwners = {
  readonly owns: (system: string) => boolean
  /**
   * Resolves to the id of the hub that owns (polls) the system. It may be a hub that is gone; `undefined` when no hub has a lease for the
   * system.
   */
  readonly ownerOf: (system: string) => Promise<string | undefined>
}

export type AgentsOfHubsParts = {
  /**
   * Functions for requests to the agents of systems that this hub polls itself. Requests about systems of other hubs are sent to those hubs
   * instead.
   */
  readonly own: Agents
  readonly owners: SystemOwners
  readonly messages: Pick<HubMessages, 'ask' | 'answer'>
  readonly secrets: Pick<SecretBox, 'seal' | 'open'>
  readonly deadlines: Deadlines
  readonly log: Log
}

export type AgentsOfHubs = Disposable & Agents

const QUESTION = 'agents'
const PLACE = 'hubs.agents'
/**
 * Time in ms (1 s) that is added to the timeout of an agent's reply when the request goes through another hub. It covers the network
 * between the hubs.
 */
const HUB_NETWORK_MS = 1000

const questionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask'), system: z.string(), request: z.base64() }),
  z.object({ kind: z.literal('read drives'), system: z.string() }),
  z.object({ kind: z.literal('accept host key'), system: z.string() }),
  z.object({ kind: z.literal('fetch live'), system: z.string(), cacheTimeMs: z.int().min(0).max(60_000) }),
])
type Question = z.infer<typeof questionSchema>

const failure = z.object({ isOk: z.literal(false), reason: z.string().max(1000) })
/**
 * Schema of another hub's response to a request about an agent that was forwarded to that hub. `cbor` has the agent's reply or sample as
 * base64 of CBOR. `isAccepted` says whether an SSH host key was accepted.
 */
const responseSchema = z.discriminatedUnion('isOk', [
  failure,
  z.object({ isOk: z.literal(true), cbor: z.base64().optional(), isAccepted: z.boolean().optional() }),
])
type Response = z.infer<typeof responseSchema>
const UNKNOWN: Response = { isOk: false, reason: 'The hub that polls this system does not know this request; its version is older' }

/**
 * Creates functions that reach the agents of all hubs: a request about another hub's system is sent to that hub. Until disposed, they also
 * answer such requests from other hubs.
 */
export function agentsOfHubs({ own, owners, messages, secrets, deadlines, log }: AgentsOfHubsParts): AgentsOfHubs {
  const isFirst = firstTime()
  const stop = messages.answer(QUESTION, async (body) => {
    const sent = parseJson(secrets.open(PLACE, z.string().parse(body)))
    const { success, data: question } = questionSchema.safeParse(sent)
    if (!success && isFirst(QUESTION)) log.warn('requests of another hub refused: this version cannot read them')
    return secrets.seal(PLACE, JSON.stringify(success ? await respondTo(own, question) : UNKNOWN))
  })

  /**
   * Sends a request about a system to the hub that owns (polls) it, and resolves to that hub's response. `undefined` when this hub or no
   * hub owns it. Rejects with AgentUnavailable if that hub does not respond or its response is damaged.
   */
  async function askOwner(question: Question, withinMs: number): Promise<Response | undefined> {
    if (owners.owns(question.system)) return undefined
    const owner = await owners.ownerOf(question.system)
    // The database may store a new lease of this hub before this hub has noticed it.
    if (owner === undefined || owners.owns(question.system)) return undefined
    try {
      const body = secrets.seal(PLACE, JSON.stringify(question))
      const response = await messages.ask(owner, QUESTION, body, AbortSignal.timeout(withinMs + HUB_NETWORK_MS))
      return responseSchema.parse(parseJson(secrets.open(PLACE, z.string().parse(response))))
    } catch (error) {
      if (!(error instanceof HubUnreachableError))
        throw new AgentUnavailable('unreadable', 'The hub that polls this system sent a damaged response', { cause: error })
      throw new AgentUnavailable('unreachable', 'The hub that polls this system does not respond; try again in a few seconds', {
        cause: error,
      })
    }
  }

  const { connectMs, handshakeMs, channelMs, repliesMs } = deadlines
  const withinMs = (action: AgentQuestion['action'] | 'data'): number => connectMs + handshakeMs + channelMs + repliesMs[action]

  return {
    ask: (system, question) =>
      agentResult(async () => {
        const request = encoded(encodeRequest({ request: question }))
        const response = await askOwner({ kind: 'ask', system, request }, withinMs(question.action))
        return response === undefined ? own.ask(system, question) : readReply(response, question)
      }),
    readDrives: (system) =>
      agentResult(async () => {
        const response = await askOwner({ kind: 'read drives', system }, withinMs('smart'))
        if (response === undefined) return own.readDrives(system)
        return response.isOk ? { ok: true, value: undefined } : { ok: false, reason: response.reason }
      }),
    acceptHostKey: (system) =>
      agentResult(async () => {
        const response = await askOwner({ kind: 'accept host key', system }, connectMs)
        if (response === undefined) return own.acceptHostKey(system)
        return response.isOk ? { ok: true, value: response.isAccepted === true } : { ok: false, reason: response.reason }
      }),
    async fetchLive(system, cacheTimeMs) {
      const response = await askOwner({ kind: 'fetch live', system, cacheTimeMs }, deadlines.webSocketDataMs)
      if (response === undefined) return own.fetchLive(system, cacheTimeMs)
      if (!response.isOk) throw new AgentUnavailable('unreachable', response.reason)
      const document = response.cbor === undefined ? undefined : decoded(response.cbor)
      return isCborMap(document) ? document : undefined
    },
    refusal: own.refusal,
    [Symbol.dispose]: stop,
  }
}

/**
 * Sends another hub's request to one of this hub's own agents, and resolves to the response for that hub. The request is not forwarded to a
 * third hub.
 */
async function respondTo(own: Agents, question: Question): Promise<Response> {
  const { system } = question
  switch (question.kind) {
    case 'ask':
      return ask(own, system, question.request)
    case 'read drives': {
      const result = await own.readDrives(system)
      return result.ok ? { isOk: true } : { isOk: false, reason: result.reason }
    }
    case 'accept host key': {
      const result = await own.acceptHostKey(system)
      return result.ok ? { isOk: true, isAccepted: result.value } : { isOk: false, reason: result.reason }
    }
    case 'fetch live':
      return fetchLive(own, question.system, question.cacheTimeMs)
  }
}

async function ask(own: Agents, system: string, encodedRequest: string): Promise<Response> {
  const item = decoded(encodedRequest)
  const request = item === undefined ? undefined : decodeRequest(item)
  const asked = request?.ok === true ? request.message.request : undefined
  if (asked === undefined || asked.action === 'data' || asked.action === 'fingerprint') return UNKNOWN
  const result = await own.ask(system, asked)
  return result.ok ? { isOk: true, cbor: encoded(encodeEnvelope(result.value)) } : { isOk: false, reason: result.reason }
}

async function fetchLive(own: Agents, system: string, cacheTimeMs: number): Promise<Response> {
  try {
    const document = await own.fetchLive(system, cacheTimeMs)
    return document === undefined ? { isOk: true } : { isOk: true, cbor: encoded(document) }
  } catch (error) {
    if (error instanceof AgentUnavailable) return { isOk: false, reason: error.message }
    throw error
  }
}

function readReply(response: Response, { action }: AgentQuestion): AgentResult<Reply> {
  if (!response.isOk) return { ok: false, reason: response.reason }
  const item = response.cbor === undefined ? undefined : decoded(response.cbor)
  const envelope = item === undefined ? undefined : decodeEnvelope(item, expectedReplies[action])
  return envelope?.ok === true
    ? { ok: true, value: envelope.reply }
    : { ok: false, reason: 'The hub that polls this system sent a damaged response' }
}

async function agentResult<T>(work: () => Promise<AgentResult<T>>): Promise<AgentResult<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AgentUnavailable) return { ok: false, reason: error.message }
    throw error
  }
}

const encoded = (value: CborValue): string => Buffer.from(encodeCbor(value, utf8)).toString('base64')

function decoded(text: string): CborValue | undefined {
  const item = decodeCbor(Buffer.from(text, 'base64'), utf8)
  return item.ok ? item.value : undefined
}
