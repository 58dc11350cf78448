import { Socket, type Server, type SocketConstructorOpts } from 'node:net'
import { createAcceptPace } from './ssh-admission.ts'

/** Size in bytes, 4,096, of the read buffer that all SSH connections share. Node's own sockets allocate 64 KiB for each read. */
const READ_BYTES = 4096

/**
 * Function that the caller of `acceptFrom` supplies to process the bytes of one read from a connection. It must copy what it keeps, because
 * the next read of any connection overwrites the buffer.
 */
export type DataHandler = (piece: Buffer) => void

/** Private handle object of a listening Node TCP server. Its `onconnection` is called with each accepted connection. */
type ListeningHandle = { onconnection: (error: number, handle: SocketConstructorOpts['handle']) => void }

/**
 * Accepts connections of a TCP server, at most 1,000 a second. It calls `open` with each socket and passes the bytes that arrive to the
 * function that `open` returns. Node's `connection` event cannot set a read buffer.
 */
export function acceptFrom(server: Server, open: (socket: Socket) => DataHandler): void {
  const listening = Reflect.get(server, '_handle') as ListeningHandle // private to Node
  const pace = createAcceptPace()
  const buffer = Buffer.alloc(READ_BYTES)
  listening.onconnection = (_error, handle) => {
    // The connection ended before it was accepted.
    if (handle === undefined) return
    pace()
    const callback = (bytes: number): boolean => {
      take(buffer.subarray(0, bytes))
      return true
    }
    const socket = new Socket({ handle, onread: { buffer, callback } })
    const take = open(socket)
  }
}
