import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { encodeCbor } from '@vedette/protocol/cbor/encode'
import type { CborValue } from '@vedette/protocol/cbor/value'
import type { Sample } from '@vedette/protocol/metrics/sample'
import { decodeDocument } from '@vedette/protocol/wire/document-decode'
import { decodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { encodeRequest, type Message } from '@vedette/protocol/wire/request'
import type { Log } from '../log.ts'
import { AgentUnavailable } from './fleet-errors.ts'
import { utf8 } from './wire-text.ts'

/** The cache time of a minute's poll; agents answer from what they measured within half of it. */
export const POLL_CACHE_MS = 60_000

/** Nothing an agent sends may be larger; real documents are a few kilobytes, logs at most 5 MiB. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024

export const requestBytes = (message: Message): Uint8Array => encodeCbor(encodeRequest(message), utf8)

/** The first item of what an agent sent; bytes after it are ignored. */
export function readItem(bytes: Uint8Array): CborValue {
  const item = decodeCbor(bytes, utf8)
  if (item.ok) return item.value
  throw new AgentUnavailable('unreadable', `Cannot read the reply: CBOR is ${item.error.reason} at byte ${item.error.offset}`)
}

/** The reply in an envelope. An agent's own error text is a failure like any other. */
export function readReply(envelope: CborValue, expected: Exclude<Reply['kind'], 'error'>): Reply {
  const decoded = decodeEnvelope(envelope, expected)
  if (!decoded.ok) throw new AgentUnavailable('unreadable', `Cannot read the reply: ${decoded.reason}`)
  if (decoded.reply.kind !== 'error') return decoded.reply
  throw new AgentUnavailable('agent error', `The agent answered with an error: ${decoded.reply.message.slice(0, 500)}`)
}

/** The sample in a document; fields that could not be used are logged and left out. */
export function readSample(document: CborValue, log: Log): Sample {
  const decoded = decodeDocument(document)
  if (!decoded.ok) throw new AgentUnavailable('unreadable', `Cannot read the document: it is ${decoded.reason}`)
  if (decoded.problems.length > 0) log.debug('fields of a sample left out', { problems: decoded.problems.slice(0, 10) })
  return decoded.sample
}

export function toSample(reply: Reply, log: Log): Sample {
  if (reply.kind !== 'document') throw new AgentUnavailable('unreadable', `Cannot read the reply: expected a document, got ${reply.kind}`)
  return readSample(reply.document, log)
}
