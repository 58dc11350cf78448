import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** A client's socket for the SSH library. Only bytes within the peer's limits pass. */
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
    // Bytes are pushed when they come.
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // The library begins with the identification, which the client has already.
    const hasRoom = !this.#isBegun || this.#socket.write(piece)
    this.#isBegun = true
    // Not after the write: a reason for leaving must not wait behind it.
    if (hasRoom) done()
    else this.#socket.once('drain', () => done())
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }
}
