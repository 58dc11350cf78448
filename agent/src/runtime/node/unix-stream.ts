import type { Socket } from 'node:net'
import type { Bytes, StreamEvent } from '../runtime.ts'
import { errorText } from './error-text.ts'

export type UnixStreams = {
  readonly open: (id: number, path: string) => void
  readonly write: (id: number, data: Bytes) => void
  readonly close: (id: number) => void
}

/**
 * Creates the store of open unix sockets that carry raw bytes, for `Runtime.streamOpen`. The caller chooses each socket's number; events of
 * all sockets are passed to `emit`.
 */
export function unixStreams(emit: (id: number, event: StreamEvent) => void): UnixStreams {
  const sockets = new Map<number, Socket>()
  return {
    open: (id, path) => {
      const socket = process.getBuiltinModule('node:net').connect({ path })
      let reason = 'closed'
      sockets.set(id, socket)
      socket.on('connect', () => emit(id, { kind: 'open' }))
      socket.on('data', (data) => emit(id, { kind: 'data', data: typeof data === 'string' ? Buffer.from(data) : Uint8Array.from(data) }))
      socket.on('error', (error) => {
        reason = errorText(error)
      })
      socket.on('close', () => {
        sockets.delete(id)
        emit(id, { kind: 'closed', reason })
      })
    },
    write: (id, data) => {
      sockets.get(id)?.write(data)
    },
    close: (id) => {
      sockets.get(id)?.destroy()
    },
  }
}
