import type { Socket } from 'node:net'
import type { Connection } from 'ssh2'
import { sourceOf, type Admission, type TurnPace, type Slot } from './ssh-admission.ts'
import { SshPipe } from './ssh-pipe.ts'

/**
 * Maximum length in bytes, 255, of an SSH identification line, with CR LF (RFC 4253, section 4.2). A client with a longer line is refused.
 */
const MAX_IDENTIFICATION_BYTES = 255
/** Offset in bytes, 5, of the message number in an SSH packet, after the packet length and the padding length. */
const MESSAGE_OFFSET = 5
const KEXINIT = 20
/**
 * Maximum size in bytes, 8 KiB, of a client's first SSH packet, before sign-in; a client with a larger one is refused. The native host has
 * an equal limit.
 */
const MAX_PACKET_BYTES = 8 * 1024
/**
 * Algorithm name, `kex-strict-c-v00@openssh.com`, by which an SSH client's KEXINIT offers strict key exchange. Without it, a man in the
 * middle can drop the first messages unnoticed (CVE-2023-48795).
 */
const STRICT_KEY_EXCHANGE = 'kex-strict-c-v00@openssh.com'

/** Maximum number of bytes, 64 KiB, that an SSH client may send before sign-in; beyond it, the connection is refused. A hub needs 4 kB. */
const MAX_UNPROVED_BYTES = 64 * 1024
/** Timeout in ms, 30 s, from the opening of an SSH connection to the client's sign-in. Later the connection is closed. */
const SIGN_IN_DEADLINE_MS = 30_000
/** Maximum output in bytes, 1 MiB, that an SSH client has not read yet. Beyond it, the server reads nothing more from that client. */
const MAX_OUTPUT_BYTES = 1024 * 1024
/** Time in ms, 2 s, for a refused SSH client to read the reason before its connection is closed. */
const GOODBYE_DEADLINE_MS = 2000
/** Number of transferred bytes after which an SSH connection exchanges new keys: 1 GiB, RFC 4253 section 9. */
export const REKEY_BYTES = 1024 * 1024 * 1024
const REKEY_AFTER_MS = 3_600_000
const REKEY_DEADLINE_MS = 30_000

/** Object from name to reason code (number) in SSH disconnect messages, RFC 4253 section 11.1. */
export const reasons = { protocolError: 2, keyExchangeFailed: 3, byApplication: 11, tooManyConnections: 12, noMoreAuthMethods: 14 } as const
type Reason = (typeof reasons)[keyof typeof reasons]

const noBytes = Buffer.alloc(0)

/** Private member of an `ssh2` connection, of which only the function that sends an SSH disconnect message is used. */
type Protocol = { readonly disconnect: (reason: number) => void }
const protocolOf = (client: Connection): Protocol => Reflect.get(client, '_protocol') as Protocol // private to ssh2

export type PeerOptions = {
  /**
   * Software version, after `SSH-2.0-`, in the identification line that the agent's SSH server sends, such as
   * `beszel_0.18.8+vedette.0.1.0`.
   */
  readonly identification: string
  readonly silenceMs: number
  /** Number of transferred bytes, both directions together, after which the SSH connection exchanges new keys. */
  readonly rekeyBytes: number
  readonly exchangePace: TurnPace
  readonly refusalPace: TurnPace
  /** Called when an SSH client has sent its identification line: starts the `ssh2` library on the connection. */
  readonly serve: (pipe: SshPipe, peer: SshPeer) => void
}

/**
 * State of an SSH connection's input filter, from `identification` (line awaited) to `through` (all input reaches the `ssh2` library) and
 * `over` (closed). Input gets through only after a KEXINIT packet that offers strict key exchange.
 */
type Stage = 'identification' | 'waiting' | 'starting' | 'first packet' | 'through' | 'over'

/**
 * SSH connection below the `ssh2` library: it limits the input before sign-in and holds the connection's timeouts and its place in the
 * connection limits.
 */
export class SshPeer {
  readonly address: string | undefined
  readonly source: string
  /** Identification line that the SSH client sent, such as `SSH-2.0-OpenSSH_9.9`; empty before it is received. */
  identification = ''
  readonly #socket: Socket
  readonly #admission: Admission
  readonly #slot: Slot
  readonly #options: PeerOptions
  #stage: Stage = 'identification'
  /** Bytes received from the SSH client that have not been passed to the `ssh2` library yet. */
  #buffered: Buffer = noBytes
  #pipe: SshPipe | undefined
  #client: Connection | undefined
  #isSignedIn = false
  #timer: NodeJS.Timeout
  #bytesAtKeys = 0
  #stopWaiting = (): void => undefined

  constructor(socket: Socket, admission: Admission, options: PeerOptions) {
    this.#socket = socket
    this.#admission = admission
    this.#options = options
    this.address = socket.remoteAddress
    this.source = sourceOf(socket.remoteAddress)
    this.#slot = { source: this.source, evict: () => this.#giveWay() }
    this.#timer = setTimeout(() => this.refuse(reasons.byApplication), SIGN_IN_DEADLINE_MS)
    admission.admit(this.#slot)
    socket.setNoDelay(true)
    socket.on('drain', () => {
      if (this.#stage !== 'over') socket.resume()
    })
    socket.on('error', () => socket.destroy())
    socket.on('end', () => this.#pipe?.push(null))
    socket.on('close', () => {
      this.#stage = 'over'
      this.#stopWaiting()
      clearTimeout(this.#timer)
      admission.remove(this.#slot)
      this.#pipe?.destroy()
    })
    socket.write(`SSH-2.0-${options.identification}\r\n`)
  }

  /** Links the SSH connection with its object of the `ssh2` library, once the client has sent its identification. */
  attach(client: Connection, identification: string): void {
    this.#client = client
    this.identification = identification
    // The library sends its KEXINIT first, from which the client learns the common algorithms.
    setImmediate(() => {
      if (this.#stage !== 'starting') return
      this.#stage = 'first packet'
      this.#socket.resume()
      this.#takeFirstPacket()
    })
    client.on('ready', () => {
      this.#isSignedIn = true
      this.#admission.prove(this.#slot)
      this.#socket.setTimeout(this.#options.silenceMs, () => this.#socket.destroy())
      this.#keepKeys()
    })
    client.on('rekey', () => this.#keepKeys())
  }

  /** Closes the SSH connection with a disconnect message that carries the reason code `reason`. No more input is read. */
  refuse(reason: Reason): void {
    const socket = this.#socket
    if (this.#stage === 'over') return
    this.#stage = 'over'
    this.#buffered = noBytes
    clearTimeout(this.#timer)
    if (this.#client === undefined) socket.write(disconnectPacket(reason))
    else protocolOf(this.#client).disconnect(reason)
    // The kernel has all output and sends it even after a close.
    if (socket.writableLength === 0) return void socket.destroy()
    socket.pause()
    socket.on('drain', () => socket.destroy())
    this.#timer = setTimeout(() => socket.destroy(), GOODBYE_DEADLINE_MS)
  }

  /** Closes the SSH connection at once, without a disconnect message. */
  drop(): void {
    this.#socket.destroy()
  }

  /**
   * Checks bytes received from the SSH client and passes them to the `ssh2` library, or refuses the connection. The caller may overwrite
   * the buffer afterwards.
   */
  take(piece: Buffer): void {
    if (this.#stage === 'over') return
    if (!this.#isSignedIn && this.#socket.bytesRead > MAX_UNPROVED_BYTES) return this.refuse(reasons.byApplication)
    if (this.#stage === 'through') return this.#pass(piece)
    this.#buffered = Buffer.concat([this.#buffered, piece])
    if (this.#stage === 'identification') this.#identify()
    else if (this.#stage === 'first packet') this.#takeFirstPacket()
  }

  #identify(): void {
    const end = this.#buffered.subarray(0, MAX_IDENTIFICATION_BYTES).indexOf('\n') + 1
    if (end === 0) {
      if (this.#buffered.length >= MAX_IDENTIFICATION_BYTES) this.#wait(this.#options.refusalPace, () => this.refuse(reasons.protocolError))
      return
    }
    const line = this.#buffered.subarray(0, end)
    if (!/^SSH-(2\.0|1\.99)-[ -~]*\r?\n$/.test(line.toString('latin1')))
      return this.#wait(this.#options.refusalPace, () => this.refuse(reasons.protocolError))
    this.#buffered = this.#buffered.subarray(end)
    this.#wait(this.#options.exchangePace, () => this.#begin(line))
  }

  /**
   * Called by the connection limits when a new connection needs this one's place: refuses this SSH connection. If the client sent nothing,
   * the refusal waits for the rate limit of its address, because an abuser reconnects after each refusal.
   */
  #giveWay(): void {
    const refuse = (): void => this.refuse(reasons.tooManyConnections)
    if (this.#stage === 'identification' && this.#buffered.length === 0) this.#wait(this.#options.refusalPace, refuse)
    else refuse()
  }

  /**
   * Pauses reading from this SSH connection's socket. Calls `begin`, which starts the key exchange or refuses the connection, when the rate
   * limit of the client's address allows it. Reading stays paused until `attach`.
   */
  #wait(pace: TurnPace, begin: () => void): void {
    this.#stage = 'waiting'
    this.#socket.pause()
    this.#stopWaiting = pace.begin(this.source, begin)
  }

  #begin(line: Buffer): void {
    if (this.#stage === 'over') return
    if (!mayBeKeyExchange(this.#buffered)) return this.refuse(reasons.protocolError)
    this.#stage = 'starting'
    this.#pipe = new SshPipe(this.#socket)
    this.#options.serve(this.#pipe, this)
    this.#pipe.push(line)
  }

  #takeFirstPacket(): void {
    const held = this.#buffered
    if (held.length <= MESSAGE_OFFSET) return
    if (!mayBeKeyExchange(held)) return this.refuse(reasons.protocolError)
    const lengthBytes = held.readUInt32BE(0)
    if (held.length < 4 + lengthBytes) return
    if (!held.subarray(0, 4 + lengthBytes).includes(STRICT_KEY_EXCHANGE)) return this.refuse(reasons.keyExchangeFailed)
    this.#stage = 'through'
    this.#pass(held)
    this.#buffered = noBytes
  }

  #pass(piece: Buffer): void {
    const socket = this.#socket
    // A copy: the library may use it after the next read.
    this.#pipe?.push(Buffer.from(piece))
    if (!this.#isSignedIn) return
    this.#admission.markActive(this.#slot)
    if (socket.writableLength + (this.#pipe?.writableLength ?? 0) > MAX_OUTPUT_BYTES) socket.pause()
    if (socket.bytesRead + socket.bytesWritten - this.#bytesAtKeys >= this.#options.rekeyBytes) this.#renewKeys()
  }

  /** Restarts the timer and the byte count that decide when the SSH connection exchanges new keys. Called after each key exchange. */
  #keepKeys(): void {
    clearTimeout(this.#timer)
    this.#bytesAtKeys = this.#socket.bytesRead + this.#socket.bytesWritten
    this.#timer = setTimeout(() => this.#renewKeys(), REKEY_AFTER_MS)
  }

  #renewKeys(): void {
    clearTimeout(this.#timer)
    this.#bytesAtKeys = Number.POSITIVE_INFINITY
    this.#timer = setTimeout(() => this.refuse(reasons.byApplication), REKEY_DEADLINE_MS)
    this.#client?.rekey()
  }
}

/**
 * Returns true when these first bytes of an SSH client's input can be the start of a KEXINIT packet. Then more input is awaited, else the
 * connection is refused.
 */
const mayBeKeyExchange = (held: Buffer): boolean =>
  held.length <= MESSAGE_OFFSET || (held.readUInt32BE(0) <= MAX_PACKET_BYTES && held[MESSAGE_OFFSET] === KEXINIT)

/** Returns the bytes of an unencrypted SSH disconnect packet with this reason code, RFC 4253 sections 6 and 11.1. */
function disconnectPacket(reason: number): Uint8Array {
  const payload = Buffer.alloc(13)
  payload.writeUInt8(1)
  payload.writeUInt32BE(reason, 1)
  const paddingBytes = 6
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + paddingBytes)
  head.writeUInt8(paddingBytes, 4)
  return Buffer.concat([head, payload, Buffer.alloc(paddingBytes)])
}
