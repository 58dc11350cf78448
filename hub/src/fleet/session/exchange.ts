import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import { isCborMap, type CborMap, type CborValue } from '@vedette/protocol/cbor/value'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { fromDocumentJson } from '@vedette/protocol/wire/document-json'
import { decodeEnvelope, envelopeId, type Reply } from '@vedette/protocol/wire/envelope'
import { firstJson, looksLikeJson } from '@vedette/protocol/wire/legacy-text'
import { encodeRequest, type Action, type Message } from '@vedette/protocol/wire/request'
import type { Log } from '../../platform/log.ts'
import { readSample } from '../../samples/sample-pipeline.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import type { Generation } from './generation.ts'
import { utf8 } from './wire-text.ts'

/** The cache time of a minute's poll; agents answer from what they measured within half of it. */
export const POLL_CACHE_MS = 60_000

/** Nothing an agent sends may be larger; real documents are a few kilobytes, logs at most 5 MiB. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024

/** What a reply to each request carries. */
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

/** The first item of what an agent sent; bytes after it are ignored. */
export function readItem(bytes: Uint8Array): CborValue {
  const item = decodeCbor(bytes, utf8)
  if (item.ok) return item.value
  throw new AgentUnavailable('unreadable', `Cannot read the reply: CBOR is ${item.error.reason} at byte ${item.error.offset}`)
}

/** The reply in an envelope. An agent's own error text is a failure like any other. */
export function readReply(envelope: CborValue, action: Action): Reply {
  const decoded = decodeEnvelope(envelope, expectedReplies[action])
  if (!decoded.ok) throw new AgentUnavailable('unreadable', `Cannot read the reply: ${decoded.reason}`)
  if (decoded.reply.kind !== 'error') return decoded.reply
  throw new AgentUnavailable('agent error', `The agent answered with an error: ${decoded.reply.message.slice(0, 500)}`)
}

/**
 * The document in what an agent wrote over SSH. An agent that was asked answers with an envelope, but with a bare document
 * when it could not read the request; agents before 0.12 write JSON.
 */
export function readWrittenDocument(bytes: Uint8Array, generation: Generation): CborMap {
  if (bytes.length === 0) throw new AgentUnavailable('unreadable', 'Cannot read the reply: it is empty')
  if (looksLikeJson(bytes)) return readJsonDocument(utf8.decode(bytes))
  const item = readItem(bytes)
  if (generation === 'asked' && !isBareDocument(item)) return documentOf(readReply(item, 'data'))
  if (isCborMap(item)) return item
  throw new AgentUnavailable('unreadable', 'Cannot read the document: it is not a map')
}

/** Where an envelope has the id of its request, a document has its measurements. */
const isBareDocument = (item: CborValue): boolean => isCborMap(item) && envelopeId(item) === undefined && isCborMap(item.get(0))

function readJsonDocument(text: string): CborMap {
  const json = firstJson(text)
  if (json === undefined) throw new AgentUnavailable('unreadable', 'Cannot read the document: its JSON is broken or ends too early')
  const document = fromDocumentJson(json)
  if (document === undefined) throw new AgentUnavailable('unreadable', 'Cannot read the document: it is JSON, but no object')
  return document
}

/** Whether what an agent wrote so far is a whole reply. */
export function isWhole(bytes: Uint8Array): boolean {
  return looksLikeJson(bytes) ? firstJson(utf8.decode(bytes)) !== undefined : bytes.length > 0 && decodeCbor(bytes, utf8).ok
}

export function documentOf(reply: Reply): CborMap {
  if (reply.kind === 'document' && isCborMap(reply.document)) return reply.document
  throw new AgentUnavailable('unreadable', `Cannot read the reply: expected a document, got ${reply.kind}`)
}

/** The sample in a document. Fields that cannot be read are logged and left out. */
export function sampleOf(document: CborMap, log: Log): Sample {
  const read = readSample(document)
  if (!read.ok) throw new AgentUnavailable('unreadable', `Cannot read the document: it is ${read.reason}`)
  if (read.problems.length > 0) log.debug('fields of a sample left out', { problems: read.problems.slice(0, 10) })
  return read.sample
}
