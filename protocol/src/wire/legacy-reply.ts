import { isCborMap, type CborValue } from '../cbor/value.ts'
import { decodeEnvelope, type Reply } from './envelope.ts'

/** Where an envelope holds an identity. */
const IDENTITY_SLOT = 2

/**
 * What an agent of 0.12 answers over WebSocket: the bare document (its measurements, a map, stand under key 0) or the bare
 * identity (a text stands there). `undefined` when it is not what was expected.
 */
export function decodeBareReply(value: CborValue, expected: 'document' | 'identity'): Reply | undefined {
  if (!isCborMap(value)) return undefined
  const first = value.get(0)
  // A number there is an envelope's, which these agents do not write: what it holds stands elsewhere.
  if (expected === 'document') {
    return first === undefined || first === null || isCborMap(first) ? { kind: 'document', document: value } : undefined
  }
  if (typeof first !== 'string') return undefined
  const wrapped = decodeEnvelope(new Map([[IDENTITY_SLOT, value]]), 'identity')
  return wrapped.ok ? wrapped.reply : undefined
}
