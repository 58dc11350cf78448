import { Socket, type Server, type SocketConstructorOpts } from 'node:net'
import { createAcceptPace } from './ssh-admission.ts'

/** Bytes of one read. One buffer serves all connections; Node's own sockets take 64 KiB for each read. */
const READ_BYTES = 4096

/** Takes the bytes of one read. The next read of any connection overwrites them. */
export type Take = (piece: Buffer) => void

/** Private members of Node's servers. They give a socket its handle as the option of the same name. */
type ListeningHandle = { onconnection: (error: number, handle: SocketConstructorOpts['handle']) => void }

/** Accepts connections at a pace. It replaces Node's `connection` event, which cannot give a socket its read buffer. */
export function acceptFrom(server: Server, open: (socket: Socket) => Take): void {
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
