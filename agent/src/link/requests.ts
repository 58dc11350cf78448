import { encodeCbor } from '@vedette/protocol/cbor/encode'
import type { CborMap, CborValue, Utf8 } from '@vedette/protocol/cbor/value'
import { encodeDocument } from '@vedette/protocol/wire/document-encode'
import { encodeEnvelope, encodeIdentity, type Reply } from '@vedette/protocol/wire/envelope'
import type { Request } from '@vedette/protocol/wire/request'
import type { Loop } from '../deadline.ts'
import type { Log } from '../log.ts'
import type { Bytes, ByteTools, Runtime } from '../runtime.ts'
import type { Sampler } from '../sampler.ts'

/** What both links need of the agent. */
export type LinkParts = { readonly runtime: Runtime; readonly loop: Loop; readonly log: Log; readonly sampler: Sampler }

export type DataRequest = Extract<Request, { readonly action: 'data' }>
/** What a hub may ask once it is trusted. Who it is was settled before, so a fingerprint request is none of these. */
export type TrustedRequest = Exclude<Request, { readonly action: 'fingerprint' }>

export const textCodec = (bytes: ByteTools): Utf8 => ({ encode: bytes.utf8, decode: bytes.fromUtf8 })

export const encoded = (value: CborValue, bytes: ByteTools): Bytes => encodeCbor(value, textCodec(bytes))

/** The one place where requests are answered. Nothing a hub sends becomes a path, a command or a request to others. */
export async function answer(request: TrustedRequest, sampler: Sampler, link: 'ssh' | 'websocket'): Promise<Reply> {
  switch (request.action) {
    case 'data':
      return { kind: 'document', document: await document(request, sampler, link) }
    case 'container-logs':
    case 'container-inspect':
      return isContainerId(request.containerId)
        ? unsupported('container logs and details')
        : { kind: 'error', message: 'invalid container id' }
    case 'smart':
      return unsupported('disk health')
    case 'service-details':
      return unsupported('services')
  }
}

export async function document(request: DataRequest, sampler: Sampler, link: 'ssh' | 'websocket'): Promise<CborMap> {
  const { cacheTimeMs, includeDetails } = request
  return encodeDocument(await sampler.take({ cacheTimeMs, includeDetails, link }))
}

const unsupported = (what: string): Reply => ({ kind: 'error', message: `this agent does not read ${what}` })

const isContainerId = (text: string): boolean => /^[0-9a-fA-F]{12,64}$/.test(text)

/** With an id an envelope, without one (hubs before 0.13) the bare item; those know no error, so they get none. */
export function replyItem(reply: Reply, id: number | undefined): CborMap | undefined {
  if (id !== undefined) return encodeEnvelope(reply, id)
  if (reply.kind === 'document') return reply.document instanceof Map ? reply.document : undefined
  return reply.kind === 'identity' ? encodeIdentity(reply.identity) : undefined
}
