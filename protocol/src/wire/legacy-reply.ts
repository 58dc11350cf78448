import { isCborMap, type CborValue } from '../cbor/value.ts'
import { decodeEnvelope, type Reply } from './envelope.ts'

/** Where an envelope holds an identity. */
const IDENTITY_SLOT = 2

/**
 * Response of an agent of 0.12 over WebSocket: the bare document (key 0 holds its measurements, a map) or the bare
 * identity (key 0 holds a text). `undefined` when it is not the expected one.
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
