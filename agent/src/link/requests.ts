import { encodeCbor } from '@vedette/protocol/cbor/encode'
import type { CborMap, CborValue, Utf8 } from '@vedette/protocol/cbor/value'
import type { Diagnosis } from '@vedette/protocol/metrics/diagnosis'
import type { DiskHealthReport } from '@vedette/protocol/metrics/disk-health'
import { encodeDiagnosis } from '@vedette/protocol/wire/diagnosis'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, encodeIdentity, type Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import { encodeSmartDevices } from '@vedette/protocol/wire/smart'
import type { Loop } from '../runtime/deadline.ts'
import type { Log } from '../runtime/log.ts'
import type { Bytes, ByteTools, Runtime } from '../runtime/runtime.ts'
import type { Sampler } from '../collect/sampling/sampler.ts'

/**
 * Objects that the agent's SSH server and WebSocket client share: runtime (Node or native), event loop, log, and `sources`. `sources()`
 * returns the functions that read this machine; it is called for each request, since they do not exist yet when the links are created.
 */
export type LinkParts = { readonly runtime: Runtime; readonly loop: Loop; readonly log: Log; readonly sources: () => Sources }

/**
 * Functions that read this machine's data for replies to a hub: samples, container logs and inspections, disk health, services,
 * diagnostics. The message of a rejection is sent to the hub.
 */
export type Sources = {
  readonly sampler: Sampler
  /**
   * Resolves with the newest log lines of a container as one text, at most 200. With `sinceSeconds` (epoch seconds) only lines from then
   * on. Rejects for an invalid id, and when Docker or Podman fails or refuses.
   */
  readonly containerLogs: (containerId: string, sinceSeconds: number | undefined) => Promise<string>
  readonly containerInspect: (containerId: string) => Promise<string>
  readonly diskHealth: () => Promise<DiskHealthReport>
  /**
   * Resolves to a map from D-Bus name to value with the properties of the systemd unit of this name. Rejects when they cannot be read, as
   * without such a unit.
   */
  readonly serviceDetails: (serviceName: string) => Promise<CborMap>
  readonly diagnosis: () => Diagnosis
  /** Deletes the stored keys of hubs that signed a nonce, on a hub's request, so that any hub may authenticate without a nonce again. */
  readonly forgetProof: () => void
}

export type DataRequest = Extract<Request, { readonly action: 'data' }>
/**
 * Request that the agent executes only for an authenticated hub: every kind except the fingerprint request, which is part of the
 * authentication.
 */
export type TrustedRequest = Exclude<Request, { readonly action: 'fingerprint' }>

export const textCodec = ({ utf8, fromUtf8 }: ByteTools): Utf8 => ({
  encode: utf8,
  decode: (bytes, from, to) => fromUtf8(bytes.subarray(from, to)),
})

export const encodedBytes = (value: CborValue, bytes: ByteTools): Bytes => encodeCbor(value, textCodec(bytes))

/**
 * Executes the request of an authenticated hub and resolves with the reply; an error becomes an error reply. No text of the request is used
 * as a path, a command, or the address of another server.
 */
export async function answer(request: TrustedRequest, sources: Sources, link: 'ssh' | 'websocket'): Promise<Reply> {
  try {
    return await replyTo(request, sources, link)
  } catch (error) {
    return { kind: 'error', message: error instanceof Error ? error.message : String(error) }
  }
}

async function replyTo(request: TrustedRequest, sources: Sources, link: 'ssh' | 'websocket'): Promise<Reply> {
  switch (request.action) {
    case 'data':
      return { kind: 'document', document: await document(request, sources.sampler, link) }
    case 'container-logs':
      return { kind: 'text', text: await sources.containerLogs(request.containerId, request.sinceSeconds) }
    case 'container-inspect':
      return { kind: 'text', text: await sources.containerInspect(request.containerId) }
    case 'smart': {
      const { devices, complete } = await sources.diskHealth()
      return { kind: 'smart', devices: encodeSmartDevices(devices), complete }
    }
    case 'service-details':
      return { kind: 'service', properties: await sources.serviceDetails(request.serviceName) }
    case 'forget-proof':
      sources.forgetProof()
      return { kind: 'text', text: '' }
    case 'diagnosis':
      return { kind: 'diagnosis', diagnosis: encodeDiagnosis(sources.diagnosis()) }
  }
}

/**
 * Takes a sample for a hub's request and resolves with its CBOR document. For old hubs, whose requests lack `includeDetails`, the machine's
 * facts (such as its CPU model) are part of every document.
 */
export async function document(
  { cacheTimeMs, includeDetails }: DataRequest,
  sampler: Sampler,
  link: 'ssh' | 'websocket',
): Promise<CborMap> {
  const facts = includeDetails === undefined ? 'info' : 'details'
  return encodeDocument(await sampler.take({ cacheTimeMs, includeFacts: includeDetails ?? true, link }), facts)
}

/**
 * Returns the CBOR map to send to the hub for a reply. With a request id, the reply is in an envelope with this id. Without one (hubs
 * before 0.13), only a sample or the agent's identity is returned, bare; `undefined` (nothing is sent) for every other reply.
 */
export function replyItem(reply: Reply, id: number | undefined): CborMap | undefined {
  if (id !== undefined) return encodeEnvelope(reply, id)
  if (reply.kind === 'document') return reply.document instanceof Map ? reply.document : undefined
  return reply.kind === 'identity' ? encodeIdentity(reply.identity) : undefined
}
