import { isCborMap, type CborValue } from '../cbor/value.ts'
import { decodeEnvelope, type Reply } from './envelope.ts'

/**
 * CBOR key 2, under which the envelope (outer map) of an agent's reply contains the agent's identity. An identity without envelope is put
 * under this key, so that one decoder serves both.
 */
const IDENTITY_SLOT = 2

/**
 * Decodes a 0.12 agent's reply over WebSocket, which has no envelope. In a sample (`document`) key 0 is a map, null or missing; in an
 * `identity` it is the fingerprint, a text. `undefined` when it does not fit `expected`.
 */
export function decodeBareReply(value: CborValue, expected: 'document' | 'identity'): Reply | undefined {
  if (!isCborMap(value)) return undefined
  const first = value.get(0)
  // A number under key 0 means an envelope, which these agents do not send; its content is under other keys.
  if (expected === 'document') {
    return first === undefined || first === null || isCborMap(first) ? { kind: 'document', document: value } : undefined
  }
  if (typeof first !== 'string') return undefined
  const wrapped = decodeEnvelope(new Map([[IDENTITY_SLOT, value]]), 'identity')
  return wrapped.ok ? wrapped.reply : undefined
}
