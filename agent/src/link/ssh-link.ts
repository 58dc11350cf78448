import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { toDocumentJson } from '@vedette/protocol/wire/document-json'
import { encodeEnvelope, type Reply } from '@vedette/protocol/wire/envelope'
import { decodeRequest, type MessageResult } from '@vedette/protocol/wire/request'
import { ANNOUNCED_VERSION, isAtLeast, versionOfIdentification } from '@vedette/protocol/wire/version'
import type { Bytes, SshAddress, SshServerEvent } from '../runtime/runtime.ts'
import { POLL_CACHE_TIME_MS } from '../collect/sampling/sampler.ts'
import { listenText } from '../text/listen-address.ts'
import type { PublicKey } from '../text/public-keys.ts'
import { answer, document, encodedBytes, textCodec, type DataRequest, type LinkParts } from './requests.ts'

export type SshLinkOptions = {
  readonly address: SshAddress
  readonly hubKeys: readonly PublicKey[]
  readonly hostKeyPath: string | undefined
  /** Called when an authenticated hub has sent a request over SSH, or, as hubs before 0.13 do, opened a channel without one. */
  readonly onUsed: () => void
  readonly onState: (event: Exclude<SshServerEvent, { readonly kind: 'refused' }>) => void
}

export type SshLink = { readonly listen: () => void; readonly close: () => void }

/** Size limit in bytes, 1 MiB, of a hub's SSH request; a longer one is refused. Usual requests have about 100 bytes. */
const MAX_REQUEST_BYTES = 1024 * 1024
/** Idle timeout in ms, 70 s, after which an SSH connection is closed. A hub polls once a minute over one connection that it keeps open. */
const SILENCE_MS = 70_000
/**
 * Maximum number of SSH channels, 256, whose ids the agent remembers after its reply. Later input on a remembered channel is ignored.
 * Beyond the limit, the oldest ids are forgotten.
 */
const MAX_REMEMBERED = 256

/**
 * Form of SSH polls that a hub's version uses. `requests`: CBOR requests and replies; `bare document` and `json`: no request, the agent
 * just sends a sample in CBOR or JSON.
 */
type Generation = 'requests' | 'bare document' | 'json'

/**
 * Returns the form of SSH polls that a hub's version, from its SSH identification text, supports. It is `requests` from 0.13, `bare
 * document` from 0.12, and `json` for older ones or without a version.
 */
export function generationOf(identification: string): Generation {
  const version = versionOfIdentification(identification)
  if (version === undefined) return 'json'
  if (isAtLeast(version, [0, 13, 0])) return 'requests'
  return isAtLeast(version, [0, 12, 0]) ? 'bare document' : 'json'
}

type Written = 'half' | 'too large' | { readonly message: MessageResult | undefined }

/** Request that the agent assumes when a hub is too old to send one over SSH: a request for a sample, as in the minute poll. */
const poll: DataRequest = { action: 'data', cacheTimeMs: POLL_CACHE_TIME_MS }

/** Creates the SSH server by which hubs request samples and other data. Each SSH channel carries one request and its reply. */
export function createSshLink({ runtime, loop, log, sources }: LinkParts, options: SshLinkOptions): SshLink {
  const { bytes } = runtime
  const answered = new Set<number>()
  let listening = false

  const reply = (requestId: number, work: Promise<Bytes>): void => {
    work.then(
      (data) => runtime.sshReply(requestId, data, 0),
      (error: unknown) => {
        log.error('Cannot respond to the hub', { reason: error instanceof Error ? error.message : String(error) })
        runtime.sshReply(requestId, new Uint8Array(), 1)
      },
    )
  }

  const bareDocument = async (): Promise<Bytes> => encodedBytes(await document(poll, sources().sampler, 'ssh'), bytes)
  const jsonDocument = async (): Promise<Bytes> =>
    bytes.utf8(`${JSON.stringify(toDocumentJson(await document(poll, sources().sampler, 'ssh')))}\n`)

  const converse = async (request: MessageResult | undefined): Promise<Bytes> => {
    // Input that is not a request gets the bare document, as hubs without requests expect it.
    if (
      request === undefined ||
      (!request.ok && !request.reason.startsWith('unknown action') && !request.reason.startsWith('request body'))
    ) {
      return bareDocument()
    }
    return request.ok ? encodedBytes(encodeEnvelope(await trusted(request.message.request)), bytes) : errorReply(request.reason)
  }

  const errorReply = async (message: string): Promise<Bytes> => encodedBytes(encodeEnvelope({ kind: 'error', message }), bytes)

  const trusted = async (request: Parameters<typeof answer>[0] | { readonly action: 'fingerprint' }): Promise<Reply> =>
    request.action === 'fingerprint' ? { kind: 'error', message: 'unsupported action' } : answer(request, sources(), 'ssh')

  const remember = (requestId: number): void => {
    answered.add(requestId)
    const [oldest] = answered
    if (answered.size > MAX_REMEMBERED && oldest !== undefined) answered.delete(oldest)
  }

  const onSsh = (requestId: number, identification: string, stdin: Bytes, ended: boolean): void => {
    if (answered.has(requestId)) return
    const generation = generationOf(identification)
    const request = generation === 'requests' ? readRequest(stdin, ended) : undefined
    if (request === 'half') return
    remember(requestId)
    options.onUsed()
    if (generation === 'json') reply(requestId, jsonDocument())
    else if (request === undefined) reply(requestId, bareDocument())
    else reply(requestId, request === 'too large' ? errorReply('request too large') : converse(request.message))
  }

  /**
   * Decodes a hub's request from the bytes received on an SSH channel so far. Returns the request as `message` (`undefined` for invalid
   * bytes), `too large`, or `half` when it is incomplete. `ended` is true when no more bytes follow.
   */
  const readRequest = (stdin: Bytes, ended: boolean): Written => {
    if (stdin.length > MAX_REQUEST_BYTES) return 'too large'
    const item = decodeCbor(stdin, textCodec(bytes))
    if (item.ok) return { message: decodeRequest(item.value) }
    return item.error.reason === 'truncated' && !ended ? 'half' : { message: undefined }
  }

  const onSshServer = (event: SshServerEvent): void => {
    if (event.kind === 'refused') {
      log.change('ssh key', 'warn', 'Refused an SSH client: its key is not in KEY', { client: event.clientAddress })
      return
    }
    if (event.kind === 'failed') listening = false
    options.onState(event)
  }

  loop.subscribe({ onSsh, onSshServer })

  return {
    listen: () => {
      if (listening) return
      listening = true
      const problem = runtime.sshListen({
        address: options.address,
        identification: `beszel_${ANNOUNCED_VERSION}`,
        ...(options.hostKeyPath === undefined ? {} : { hostKeyPath: options.hostKeyPath }),
        authorisedKeys: options.hubKeys,
        maxRequestBytes: MAX_REQUEST_BYTES,
        silenceMs: SILENCE_MS,
      })
      if (problem !== null)
        onSshServer({ kind: 'failed', reason: `Cannot listen on ${listenText(options.address)}: ${problem}`, addressInUse: false })
    },
    close: () => {
      if (!listening) return
      listening = false
      runtime.sshClose()
    },
  }
}
