import { decodeCbor } from '@vedette/protocol/cbor/decode'
import { hubProofText, NONCE_BYTES, NONCE_HEADER } from '@vedette/protocol/wire/hub-proof'
import type { Identity, Reply } from '@vedette/protocol/wire/envelope'
import { decodeRequest, type Message, type Request } from '@vedette/protocol/wire/request'
import { ANNOUNCED_VERSION } from '@vedette/protocol/wire/version'
import type { Log } from '../runtime/log.ts'
import type { Bytes, WsEnd } from '../runtime/runtime.ts'
import { digitsOf, type HubProofs } from './hub-proofs.ts'
import { answer, encodedBytes, replyItem, textCodec, type LinkParts } from './requests.ts'

export type HubAddress = {
  readonly url: string
  /** URL of the proxy through which the agent connects to the hub, as from `readProxy`; `undefined` for a direct connection. */
  readonly proxy: string | undefined
  /** SHA-256 of the hub's pinned TLS certificate as 64 hexadecimal digits; `undefined` when no certificate is pinned. */
  readonly certificateSha256: string | undefined
}

export type WebSocketLinkOptions = {
  readonly token: string
  /** List of the Ed25519 public keys of the trusted hubs, 32 bytes each. */
  readonly hubKeys: readonly Bytes[]
  readonly proofs: HubProofs
  /**
   * Returns the data by which the hub recognises this agent: the fingerprint. With `full`, as the hub requests, also host name, SSH port
   * and configured system name.
   */
  readonly identity: (full: boolean) => Identity
  readonly onTrusted: () => void
  /**
   * Called when a connection attempt failed or an open connection ended, with the reason `end`. `wasTrusted` is true if the hub had
   * authenticated.
   */
  readonly onEnded: (wasTrusted: boolean, end: WsEnd) => void
}

export type WebSocketLink = {
  readonly dial: (hub: HubAddress) => void
  /**
   * Closes the WebSocket connection for good; its end is then not logged. Returns true if there was one; its end is reported by `onEnded`.
   */
  readonly close: () => boolean
}

const CONNECT_DEADLINE_MS = 5_000
/** Size limit in bytes, 1 MiB, of a WebSocket message from a hub; a longer one ends the connection. Usual requests have about 100 bytes. */
const MAX_MESSAGE_BYTES = 1024 * 1024

/** Idle timeout in ms, 70 s, after which the WebSocket connection to the hub is closed. A hub pings or polls once a minute. */
const SILENCE_MS = 70_000

/** Timeout in ms, 15 s, for the hub to authenticate after the WebSocket connection opened. A hub sends its signature at once. */
const PROOF_DEADLINE_MS = 15_000

/** Maximum number of concurrent requests of a hub, 16. Hubs send a few; more are refused instead of queued. */
const MAX_PENDING = 16

/**
 * Time in ms, 30 s, after which a hub's request no longer counts towards the 16 concurrent ones. A request that the runtime aborted never
 * ends, and no hub waits that long.
 */
const PLACE_KEPT_MS = 30_000

const WRONG_KEY = 'The hub could not prove itself: its key is not the one in KEY'
const REPLAYED =
  'The hub could not prove itself: its key signed a nonce before, and now only the token, which a stranger can replay. ' +
  'After moving to an older hub run "vedette-agent fingerprint reset"'

type Connection = {
  readonly id: number
  readonly url: string
  /** Random text of 64 hexadecimal digits, new for each connection of the agent, that the hub must sign to authenticate. */
  readonly nonce: string
  trusted: boolean
  /**
   * Hub requests in progress: map from the agent's internal number of a request to the monotonic time in ms at which the request arrived.
   */
  readonly pending: Map<number, number>
  cancelProofDeadline: () => void
}

/**
 * Creates the WebSocket client of the agent, which connects to a hub and replies to its requests, one connection at a time. It connects
 * only when `dial` is called.
 */
export function createWebSocketLink({ runtime, loop, log, sources }: LinkParts, options: WebSocketLinkOptions): WebSocketLink {
  const utf8 = textCodec(runtime.bytes)
  let lastId = 0
  let lastPlace = 0
  let connection: Connection | undefined
  /** True once the agent itself closes the WebSocket, so that its end is not logged as a problem. */
  let leaving = false

  const send = (to: Connection, reply: Reply, id: number | undefined): void => {
    const item = replyItem(reply, id)
    if (item !== undefined && connection === to) runtime.wsSend(to.id, encodedBytes(item, runtime.bytes))
  }

  /**
   * Checks the signature of a hub over this connection's nonce (random text) and the token, or from older hubs only the token. If valid,
   * the agent's identity is sent. Otherwise the connection is closed, also for a token signature by a key that has signed a nonce before.
   */
  const prove = (on: Connection, request: Extract<Request, { readonly action: 'fingerprint' }>, id: number | undefined): void => {
    const overNonce = request.coversNonce === true
    const signed = runtime.bytes.utf8(overNonce ? hubProofText(on.nonce, options.token) : options.token)
    const key = options.hubKeys.find((one) => runtime.bytes.ed25519Verify(one, signed, request.signature))
    const refusal = key === undefined ? WRONG_KEY : !overNonce && options.proofs.needsNonce(key) ? REPLAYED : undefined
    if (key === undefined || refusal !== undefined) {
      log.change('hub', 'error', refusal ?? WRONG_KEY, { url: on.url })
      runtime.wsClose(on.id, 1000)
      return
    }
    if (overNonce) options.proofs.add(key)
    on.cancelProofDeadline()
    if (!on.trusted) {
      on.trusted = true
      log.clearTopic('hub')
      log.info('Connected to the hub', { url: on.url })
      options.onTrusted()
    }
    send(on, { kind: 'identity', identity: options.identity(request.needSystemInfo) }, id)
  }

  const handle = async (on: Connection, { request, id }: Message): Promise<void> => {
    if (request.action === 'fingerprint') return prove(on, request, id)
    if (!on.trusted) {
      log.debug('Request received before the hub proved its key', { action: request.action })
      return
    }
    const nowMs = runtime.clock().monotonicMs
    if (on.pending.size >= MAX_PENDING) giveBackPlaces(on.pending, nowMs)
    if (on.pending.size >= MAX_PENDING) return send(on, { kind: 'error', message: 'too many requests at once' }, id)
    const place = ++lastPlace
    on.pending.set(place, nowMs)
    const reply = await answer(request, sources(), 'websocket')
    on.pending.delete(place)
    send(on, reply, id)
  }

  const receive = (on: Connection, data: Bytes): void => {
    if (data.length === 0) return
    const item = decodeCbor(data, utf8)
    if (!item.ok || item.bytesRead !== data.length) {
      log.debug('Message is not a single CBOR item', { reason: item.ok ? 'bytes follow it' : item.error.reason })
      return
    }
    const result = decodeRequest(item.value)
    if (result.ok) void handle(on, result.message)
    else if (on.trusted) send(on, { kind: 'error', message: result.reason }, result.id)
  }

  loop.subscribe({
    onWsOpen: (id) => {
      if (connection?.id !== id) return
      const opened = connection
      opened.cancelProofDeadline = loop.after(PROOF_DEADLINE_MS, () => {
        log.change('hub', 'warn', 'The hub did not prove its key in time', { url: opened.url })
        runtime.wsClose(id, 1000)
      })
    },
    onWsMessage: (id, data) => {
      if (connection?.id === id) receive(connection, data)
    },
    onWsClose: (id, end) => {
      if (connection?.id !== id) return
      const { url, trusted, cancelProofDeadline } = connection
      connection = undefined
      cancelProofDeadline()
      if (!leaving) tellEnd(log, url, end)
      options.onEnded(trusted, end)
    },
  })

  return {
    dial: ({ url, proxy, certificateSha256 }) => {
      if (connection !== undefined) return
      const nonce = digitsOf(runtime.bytes.random(NONCE_BYTES))
      connection = { id: ++lastId, url, nonce, trusted: false, pending: new Map(), cancelProofDeadline: () => undefined }
      const headers = [
        ['X-Token', options.token],
        ['X-Beszel', ANNOUNCED_VERSION],
        [NONCE_HEADER, nonce],
      ] as const
      runtime.wsOpen(connection.id, url, headers, {
        connectDeadlineMs: CONNECT_DEADLINE_MS,
        maxMessageBytes: MAX_MESSAGE_BYTES,
        silenceMs: SILENCE_MS,
        proxy,
        certificateSha256,
      })
    },
    close: () => {
      leaving = true
      if (connection === undefined) return false
      runtime.wsClose(connection.id, 1000)
      return true
    },
  }
}

function giveBackPlaces(pending: Map<number, number>, nowMs: number): void {
  for (const [place, beganAtMs] of pending) if (nowMs - beganAtMs >= PLACE_KEPT_MS) pending.delete(place)
}

/**
 * Logs why a WebSocket connection to the hub at `url` ended or failed. An unchanged reason is logged only once, so that a hub that is down
 * all night makes one line.
 */
function tellEnd(log: Log, url: string, end: WsEnd): void {
  if (end.kind === 'failed') return log.change('hub', 'warn', 'Cannot connect to the hub', { url, reason: end.reason })
  if (end.kind === 'refused') {
    const reason =
      end.status === 401 ? `the hub does not accept this token: ${end.body || 'Invalid token'}` : `the hub answered HTTP ${end.status}`
    return log.change('hub', 'error', 'The hub refused this agent', { url, reason })
  }
  if (end.reason === 'fingerprint mismatch') {
    return log.change('hub', 'error', 'The hub refused this agent', {
      url,
      reason: 'the token belongs to a machine with another fingerprint',
    })
  }
  log.change('hub', 'info', 'The connection to the hub ended', { url, code: end.code, reason: end.reason || undefined })
}
