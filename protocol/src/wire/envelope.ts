import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'
import { present } from './present.ts'

/**
 * Data by which a hub recognises an agent: fingerprint, host name, SSH port, system name. Sent once per WebSocket connection, after the hub
 * has authenticated.
 */
export type Identity = {
  /** Text by which hubs recognise the agent's machine. It stays the same for a machine, and hubs compare it exactly. */
  readonly fingerprint: string
  readonly hostname?: string
  /** Port of the agent's own SSH server as text, or the path of its unix socket; absent without an SSH server. */
  readonly port?: string
  /** Name under which the hub registers a new system, if the agent has one configured; absent otherwise. */
  readonly systemName?: string
}

/**
 * Reply of an agent to a hub's request: sample, identity, error, text, drives, service properties or diagnostics. `document` is the sample
 * as undecoded CBOR item for `decodeDocument`.
 */
export type Reply =
  | { readonly kind: 'document'; readonly document: CborValue }
  | { readonly kind: 'identity'; readonly identity: Identity }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'smart'; readonly devices: CborMap; readonly complete: boolean }
  | { readonly kind: 'service'; readonly properties: CborMap }
  // Reply with diagnostics, an undecoded CBOR item for `decodeDiagnosis`.
  | { readonly kind: 'diagnosis'; readonly diagnosis: CborValue }

export type EnvelopeResult =
  | { readonly ok: true; readonly id?: number; readonly reply: Reply }
  | { readonly ok: false; readonly id?: number; readonly reason: string }

const envelopeKey = {
  id: 0,
  document: 1,
  identity: 2,
  error: 3,
  text: 4,
  smart: 5,
  service: 6,
  generic: 7,
  smartComplete: 8,
  diagnosis: 100,
} as const
const identityKey = { fingerprint: 0, hostname: 1, port: 2, systemName: 3 } as const

export function encodeEnvelope(reply: Reply, id?: number): CborMap {
  const map = new Map<number, CborValue>()
  if (id !== undefined) map.set(envelopeKey.id, id)
  for (const [key, value] of slots(reply)) map.set(key, value)
  return map
}

function slots(reply: Reply): readonly (readonly [number, CborValue])[] {
  switch (reply.kind) {
    case 'document':
      return [[envelopeKey.document, reply.document]]
    case 'identity':
      return [[envelopeKey.identity, encodeIdentity(reply.identity)]]
    case 'error':
      return [[envelopeKey.error, reply.message]]
    case 'text':
      return [[envelopeKey.text, reply.text]]
    case 'smart':
      // All agents send an empty envelope for a machine without drives.
      if (reply.devices.size === 0) return []
      return reply.complete
        ? [
            [envelopeKey.smart, reply.devices],
            [envelopeKey.smartComplete, true],
          ]
        : [[envelopeKey.smart, reply.devices]]
    case 'service':
      return [[envelopeKey.service, reply.properties]]
    case 'diagnosis':
      return [[envelopeKey.diagnosis, reply.diagnosis]]
  }
}

/**
 * Encodes an agent's identity (see `Identity`) as a bare CBOR map, without the envelope that carries a request's id, for hubs that send no
 * id.
 */
export function encodeIdentity(identity: Identity): CborMap {
  const map = new Map<number, CborValue>([[identityKey.fingerprint, identity.fingerprint]])
  if (identity.hostname !== undefined) map.set(identityKey.hostname, identity.hostname)
  if (identity.port !== undefined) map.set(identityKey.port, identity.port)
  if (identity.systemName !== undefined) map.set(identityKey.systemName, identity.systemName)
  return map
}

/**
 * Returns the id (number) of the request that an agent's reply responds to, from the reply's envelope (outer CBOR map); `undefined` when it
 * has none.
 */
export function envelopeId(value: CborValue): number | undefined {
  const id = isCborMap(value) ? value.get(envelopeKey.id) : undefined
  return typeof id === 'number' ? id : undefined
}

/**
 * Decodes an agent's reply of the kind `expected` from its envelope (outer CBOR map). An error text takes precedence over content. The
 * content is under the envelope's key 7, or else under the kind's own key; for diagnostics, only under their own. Without the expected
 * content, `ok` is false and `reason` says why.
 */
export function decodeEnvelope(value: CborValue, expected: Exclude<Reply['kind'], 'error'>): EnvelopeResult {
  if (!isCborMap(value)) return { ok: false, reason: 'reply is not a map' }
  const problems: FieldProblem[] = []
  const reader = new FieldReader(value, 'reply', problems)
  const id = reader.amount(envelopeKey.id)
  // A bare document has a map under the id's key, a bare identity a text; as envelopes they would be misread.
  if (problems.length > 0) return { ok: false, reason: 'reply is not an envelope' }
  const error = reader.text(envelopeKey.error)
  const reply: Reply | undefined = error ? { kind: 'error', message: error } : readReply(value, reader, expected)
  if (reply === undefined) {
    const reason = problems[0] === undefined ? `reply carries no ${expected}` : `${problems[0].path} is not ${problems[0].expected}`
    return present<Extract<EnvelopeResult, { ok: false }>>({ ok: false, id, reason })
  }
  return present<Extract<EnvelopeResult, { ok: true }>>({ ok: true, id, reply })
}

function readReply(value: CborMap, reader: FieldReader, expected: Exclude<Reply['kind'], 'error'>): Reply | undefined {
  const slot = (key: number): CborValue | undefined => value.get(envelopeKey.generic) ?? value.get(key)
  switch (expected) {
    case 'document':
      return ifMap(slot(envelopeKey.document), (document) => ({ kind: 'document', document }))
    case 'identity': {
      const key = value.get(envelopeKey.generic) === undefined ? envelopeKey.identity : envelopeKey.generic
      const identity = reader.map(key, readIdentity)
      return identity && { kind: 'identity', identity }
    }
    case 'text': {
      const text = slot(envelopeKey.text)
      return typeof text === 'string' ? { kind: 'text', text } : undefined
    }
    case 'smart':
      return readSmart(value, reader)
    case 'service':
      return ifMap(slot(envelopeKey.service), (properties) => ({ kind: 'service', properties }))
    case 'diagnosis':
      return ifMap(value.get(envelopeKey.diagnosis), (diagnosis) => ({ kind: 'diagnosis', diagnosis }))
  }
}

const ifMap = (value: CborValue | undefined, toReply: (map: CborMap) => Reply): Reply | undefined =>
  isCborMap(value) ? toReply(value) : undefined

/**
 * Reads the drives in an agent's reply to a SMART request, under the envelope's key 7 (`{0: devices, 1: complete}`) or two keys of their
 * own. `complete` means that no drive is missing. `undefined` without drives.
 */
function readSmart(value: CborMap, reader: FieldReader): Reply | undefined {
  const generic = value.get(envelopeKey.generic)
  if (isCborMap(generic)) {
    const devices = generic.get(0)
    return isCborMap(devices) ? { kind: 'smart', devices, complete: generic.get(1) === true } : undefined
  }
  const devices = value.get(envelopeKey.smart)
  return isCborMap(devices) ? { kind: 'smart', devices, complete: reader.flag(envelopeKey.smartComplete) ?? false } : undefined
}

function readIdentity(reader: FieldReader): Identity | undefined {
  const fingerprint = reader.text(identityKey.fingerprint)
  if (fingerprint === undefined) return undefined
  return present<Identity>({
    fingerprint,
    hostname: reader.text(identityKey.hostname),
    port: reader.text(identityKey.port),
    systemName: reader.text(identityKey.systemName),
  })
}
