import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { type CborMap, type CborValue, isCborMap } from '@vedette/protocol/cbor/value'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { fromDocumentJson } from '@vedette/protocol/wire/document-json'
import { type Reply, decodeEnvelope, envelopeId } from '@vedette/protocol/wire/envelope'
import { firstJson, looksLikeJson } from '@vedette/protocol/wire/legacy-text'
import { type Action, type Message, actionNumbers, encodeRequest } from '@vedette/protocol/wire/request'
import { isAtLeast, isVedette, parseVersion } from '@vedette/protocol/wire/version'
import { AgentUnavailable } from './fleet-errors.ts'
import { utf8 } from '../../platform/utf8.ts'
import type { Log } from '../../platform/log.ts'
import { readSample } from '../../samples/sample-pipeline.ts'

/**
 * Cache time in ms (60 s) that the hub sends with its poll once a minute. The agent may answer with a cached sample of at most half this
 * age (30 s).
 */
export const POLL_CACHE_MS = 60_000

/**
 * Maximum size of one message of an agent, in bytes (16 MiB); a larger one is refused and the request fails. Samples have a few kilobytes,
 * logs at most 5 MiB.
 */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024

/** Map from the action of a request to the kind of reply that the hub expects from an agent, such as `text` for `container-logs`. */
export const expectedReplies = {
  data: 'document',
  fingerprint: 'identity',
  'container-logs': 'text',
  'container-inspect': 'text',
  smart: 'smart',
  'service-details': 'service',
  diagnosis: 'diagnosis',
  'forget-proof': 'text',
} as const satisfies Readonly<Record<Action, Exclude<Reply['kind'], 'error'>>>

export const requestBytes = (message: Message): Uint8Array => encodeCbor(encodeRequest(message), utf8)

/**
 * Decodes the first CBOR item of an agent's message and returns its value; bytes after that item are ignored. Throws AgentUnavailable for
 * invalid CBOR.
 */
export function readItem(bytes: Uint8Array): CborValue {
  const item = decodeCbor(bytes, utf8)
  if (item.ok) return item.value
  throw new AgentUnavailable('unreadable', `Cannot read the reply: CBOR is ${item.error.reason} at byte ${item.error.offset}`)
}

/**
 * Decodes an agent's reply in its envelope, a CBOR map of request id and reply. Throws AgentUnavailable if it is invalid or carries the
 * agent's error text.
 */
export function readReply(envelope: CborValue, action: Action): Reply {
  const decoded = decodeEnvelope(envelope, expectedReplies[action])
  if (!decoded.ok) throw new AgentUnavailable('unreadable', `Cannot read the reply: ${decoded.reason}`)
  if (decoded.reply.kind !== 'error') return decoded.reply
  throw new AgentUnavailable('agent error', `The agent answered with an error: ${decoded.reply.message.slice(0, 500)}`)
}

/**
 * Decodes the sample that an agent sent over SSH: CBOR with an envelope, a bare CBOR map, or JSON (agents before 0.12). Throws
 * AgentUnavailable for other bytes.
 */
export function readWrittenDocument(bytes: Uint8Array, replyMode: ReplyMode): CborMap {
  if (bytes.length === 0) throw new AgentUnavailable('unreadable', 'Cannot read the reply: it is empty')
  if (looksLikeJson(bytes)) return readJsonDocument(utf8.decode(bytes))
  const item = readItem(bytes)
  if (replyMode === 'on request' && !isBareDocument(item)) return documentOf(readReply(item, 'data'))
  if (isCborMap(item)) return item
  throw new AgentUnavailable('unreadable', 'Cannot read the document: it is not a map')
}

/**
 * Returns true for a sample in CBOR without an envelope, a map of request id and reply. Such a sample has measurements, a map, under key 0;
 * an envelope has a number there.
 */
const isBareDocument = (item: CborValue): boolean => isCborMap(item) && envelopeId(item) === undefined && isCborMap(item.get(0))

function readJsonDocument(text: string): CborMap {
  const json = firstJson(text)
  if (json === undefined) throw new AgentUnavailable('unreadable', 'Cannot read the document: its JSON is broken or ends too early')
  const document = fromDocumentJson(json)
  if (document === undefined) throw new AgentUnavailable('unreadable', 'Cannot read the document: it is JSON, but no object')
  return document
}

/** Returns true when the bytes received so far are a complete reply: one CBOR item or one JSON value. */
export function isCompleteReply(bytes: Uint8Array): boolean {
  return looksLikeJson(bytes) ? firstJson(utf8.decode(bytes)) !== undefined : bytes.length > 0 && decodeCbor(bytes, utf8).ok
}

export function documentOf(reply: Reply): CborMap {
  if (reply.kind === 'document' && isCborMap(reply.document)) return reply.document
  throw new AgentUnavailable('unreadable', `Cannot read the reply: expected a document, got ${reply.kind}`)
}

/**
 * Converts the CBOR map of an agent's sample to a `Sample`. Fields that cannot be read are logged and left out. Throws AgentUnavailable if
 * the sample as a whole cannot be read.
 */
export function sampleOf(document: CborMap, log: Log): Sample {
  const read = readSample(document)
  if (!read.ok) throw new AgentUnavailable('unreadable', `Cannot read the document: it is ${read.reason}`)
  if (read.problems.length > 0) log.debug('unreadable fields of a sample ignored', { problems: read.problems.slice(0, 10) })
  return read.sample
}

/**
 * Name of the way an agent replies. `on request`: one reply with the request's id per request. `unsolicited` (before 0.13): over SSH a
 * sample without reading a request, over WebSocket replies without an id.
 */
export type ReplyMode = 'unsolicited' | 'on request'

/**
 * Returns the reply mode for an agent's version text: `on request` from 0.13 on, else `unsolicited`. Versions that cannot be parsed count
 * as `unsolicited`.
 */
export function replyModeOf(announced: string): ReplyMode {
  const version = parseVersion(announced)
  return version !== undefined && isAtLeast(version, [0, 13, 0]) ? 'on request' : 'unsolicited'
}

/**
 * Lowest number of an action (kind of request to an agent), 100, that this project defined. Agents of compatible projects support only
 * lower numbers, and not all of those.
 */
const FIRST_OWN_ACTION = 100

const since: Readonly<Record<Action, readonly [number, number, number]>> = {
  data: [0, 12, 0],
  fingerprint: [0, 12, 0],
  'container-logs': [0, 14, 0],
  'container-inspect': [0, 14, 0],
  smart: [0, 15, 0],
  'service-details': [0, 16, 0],
  diagnosis: [0, 18, 0],
  'forget-proof': [0, 18, 0],
}

/**
 * Returns true when an agent of this version supports the action (kind of request). An agent that does not support it sends nothing or a
 * wrong reply.
 */
export function understands(announced: string, action: Action): boolean {
  const version = parseVersion(announced)
  if (version === undefined || !isAtLeast(version, since[action])) return false
  return actionNumbers[action] < FIRST_OWN_ACTION || isVedette(announced)
}

/**
 * Throws AgentUnavailable with failure "unsupported" when an agent of this version does not support the action (kind of request). Otherwise
 * does nothing.
 */
export function refuseUnsupported(announced: string, action: Action): void {
  if (understands(announced, action)) return
  throw new AgentUnavailable('unsupported', `The agent${announced === '' ? '' : ` (version ${announced})`} is too old for "${action}"`)
}

/** Returns the agent version in an SSH identification: `0.18.8` for `SSH-2.0-beszel_0.18.8`. Empty when it cannot be parsed. */
export function versionInIdentification(identification: string): string {
  const announced = identification.slice(identification.indexOf('_') + 1)
  return identification.includes('_') && parseVersion(announced) !== undefined ? announced : ''
}
