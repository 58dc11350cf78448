import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'

/**
 * Request of a hub to an agent: for a sample, identity, container logs or inspection, drives, service properties, diagnostics, or deleting
 * the record of nonce signatures. None runs a command that the hub names.
 */
export type Request =
  | {
      readonly action: 'data'
      readonly cacheTimeMs: number
      /**
       * True to request the machine's static facts in the field `details`. Absent from hubs before 0.18, which read these facts from the
       * map `info` of every sample.
       */
      readonly includeDetails?: boolean
    }
  | {
      readonly action: 'fingerprint'
      /** Bytes of the Ed25519 signature by the hub: of the agent's token, or of {@link hubProofText} with `coversNonce`. */
      readonly signature: Uint8Array
      readonly coversNonce?: true
      readonly needSystemInfo: boolean
    }
  | {
      readonly action: 'container-logs'
      readonly containerId: string
      /**
       * Start time of the requested log lines in epoch seconds, by the clock of Docker or Podman; 0 for any time. Each line then starts
       * with its time (RFC 3339 with nanoseconds) and a space. Only Vedette hubs send it; other agents ignore it.
       */
      readonly sinceSeconds?: number
    }
  | { readonly action: 'container-inspect'; readonly containerId: string }
  | { readonly action: 'smart' }
  | { readonly action: 'service-details'; readonly serviceName: string }
  // Requests the diagnostics of all collectors. Only Vedette hubs send it.
  | { readonly action: 'diagnosis' }
  // Allows hubs to authenticate without a nonce again, before this hub is replaced by an older one. Only Vedette hubs send it.
  | { readonly action: 'forget-proof' }

export type Action = Request['action']

/** Map from request action to its number in the agent protocol. Numbers of 100 and above exist only in Vedette. */
export const actionNumbers: Readonly<Record<Action, number>> = {
  data: 0,
  fingerprint: 1,
  'container-logs': 2,
  'container-inspect': 3,
  smart: 4,
  'service-details': 5,
  diagnosis: 100,
  'forget-proof': 101,
}

const actionByNumber = new Map(Object.entries(actionNumbers).map(([name, number]) => [number, name]))
const isAction = (name: string | undefined): name is Action => name !== undefined && Object.hasOwn(actionNumbers, name)

/** Request of a hub to an agent with an id, which the reply must carry. Over SSH there is no id, because a channel carries one request. */
export type Message = { readonly id?: number; readonly request: Request }

export type MessageResult =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly id?: number; readonly reason: string }

type DataRequest = Extract<Request, { readonly action: 'data' }>

const requestKey = { action: 0, body: 1, id: 2 } as const
const MAX_ACTION = 255

/**
 * CBOR key, in a hub's authentication request, of the signature that covers the nonce (random text) of the agent. Only Vedette hubs and
 * agents use it.
 */
const NONCE_SIGNATURE_KEY = 100

/**
 * CBOR key (100), in a request for container logs, of the start time from which lines are requested. Only Vedette hubs and agents use it.
 */
const LOG_SINCE_KEY = 100

/** Maximum cache time in ms that a request for a sample can contain: 65,535, because the field is an unsigned 16-bit integer. */
const MAX_CACHE_TIME_MS = 0xffff

export function encodeRequest({ id, request }: Message): CborMap {
  const map = new Map<number, CborValue>([[requestKey.action, actionNumbers[request.action]]])
  const body = requestBody(request)
  if (body !== undefined) map.set(requestKey.body, body)
  if (id !== undefined) map.set(requestKey.id, id)
  return map
}

function requestBody(request: Request): CborMap | undefined {
  switch (request.action) {
    case 'data':
      return dataBody(request)
    case 'fingerprint':
      return new Map<number, CborValue>([
        [request.coversNonce === true ? NONCE_SIGNATURE_KEY : 0, request.signature],
        [1, request.needSystemInfo],
      ])
    case 'container-logs': {
      const body = new Map<number, CborValue>([[0, request.containerId]])
      if (request.sinceSeconds !== undefined) body.set(LOG_SINCE_KEY, request.sinceSeconds)
      return body
    }
    case 'container-inspect':
      return new Map([[0, request.containerId]])
    case 'service-details':
      return new Map([[0, request.serviceName]])
    case 'smart':
    case 'diagnosis':
    case 'forget-proof':
      return undefined
  }
}

function dataBody({ cacheTimeMs, includeDetails }: DataRequest): CborMap | undefined {
  // Hubs of 0.12 send no body: no caching, and no details.
  if (cacheTimeMs === 0 && includeDetails === undefined) return undefined
  const body = new Map<number, CborValue>([[0, cacheTimeMs]])
  if (includeDetails !== undefined) body.set(1, includeDetails)
  return body
}

/**
 * Decodes a request from a CBOR map. A missing action means a request for a sample; if its body is invalid, cache time 0 without details
 * applies, as in other agents.
 */
export function decodeRequest(value: CborValue): MessageResult {
  if (!isCborMap(value)) return { ok: false, reason: 'request is not a map' }
  const problems: FieldProblem[] = []
  const reader = new FieldReader(value, 'request', problems)
  const id = reader.amount(requestKey.id)
  const number = reader.amount(requestKey.action) ?? 0
  const action = actionByNumber.get(number)
  const refuse = (reason: string): MessageResult => (id === undefined ? { ok: false, reason } : { ok: false, id, reason })
  if (!Number.isInteger(number) || number > MAX_ACTION || problems.length > 0) return refuse('request has no usable action')
  if (!isAction(action)) return refuse(`unknown action: ${number}`)
  const body = reader.map(requestKey.body, (given) => given)
  const request = readRequest(action, body ?? new FieldReader(new Map(), 'request.1', problems))
  if (request === undefined) return refuse(`request body of "${action}" is unusable`)
  return { ok: true, message: id === undefined ? { request } : { id, request } }
}

function readLogRequest(body: FieldReader): Request | undefined {
  const containerId = body.text(0)
  if (containerId === undefined) return undefined
  const sinceSeconds = body.amount(LOG_SINCE_KEY)
  // An unusable time is treated as absent, as in agents that do not know the key.
  const isTime = sinceSeconds !== undefined && Number.isSafeInteger(sinceSeconds)
  return { action: 'container-logs', containerId, ...(isTime ? { sinceSeconds } : {}) }
}

function readRequest(action: Action, body: FieldReader): Request | undefined {
  switch (action) {
    case 'data':
      return readDataRequest(body)
    case 'fingerprint':
      return readProof(body)
    case 'container-logs':
      return readLogRequest(body)
    case 'container-inspect': {
      const containerId = body.text(0)
      return containerId === undefined ? undefined : { action, containerId }
    }
    case 'smart':
    case 'diagnosis':
    case 'forget-proof':
      return { action }
    case 'service-details': {
      const serviceName = body.text(0)
      return serviceName === undefined ? undefined : { action, serviceName }
    }
  }
}

function readProof(body: FieldReader): Request | undefined {
  const needSystemInfo = body.flag(1) ?? false
  const overNonce = body.bytes(NONCE_SIGNATURE_KEY)
  if (overNonce !== undefined) return { action: 'fingerprint', signature: overNonce, coversNonce: true, needSystemInfo }
  const signature = body.bytes(0)
  return signature && { action: 'fingerprint', signature, needSystemInfo }
}

function readDataRequest(body: FieldReader): Request {
  const asked = body.amount(0)
  const cacheTimeMs = asked !== undefined && Number.isInteger(asked) && asked <= MAX_CACHE_TIME_MS ? asked : 0
  const includeDetails = body.flag(1)
  return includeDetails === undefined ? { action: 'data', cacheTimeMs } : { action: 'data', cacheTimeMs, includeDetails }
}
