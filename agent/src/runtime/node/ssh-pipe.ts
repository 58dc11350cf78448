import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Duplex stream between a client's socket and the `ssh2` library. `SshPeer` pushes only input that is within its limits. */
export class SshPipe extends Duplex {
  readonly remoteAddress: string | undefined
  readonly #socket: Socket
  #isBegun = false

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    this.remoteAddress = socket.remoteAddress
  }

  override _read(): void {
    // Input is pushed when it arrives.
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // The library's first write is the identification, which the client already has.
    const hasRoom = !this.#isBegun || this.#socket.write(piece)
    this.#isBegun = true
    // Not after the write completes: a disconnect message must not wait behind it.
    if (hasRoom) done()
    else this.#socket.once('drain', () => done())
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }
}
