import type { ServerResponse } from 'node:http'
import type { ConnectionSlot } from '../limits/connection-limits.ts'
import type { PeerLimits } from './peer-limits.ts'

type Progress = { takenBytes: number; sinceMs: number }

/**
 * Creates a watcher that closes the connection of a client that reads its response too slowly. `watch` adds a response; `slot` is its
 * connection's handle in the connection limits, which gets the unread bytes. `close` ends the watcher.
 */
export function unreadResponses({ stalledMs, readBytesPerSecond }: Pick<PeerLimits, 'stalledMs' | 'readBytesPerSecond'>): {
  readonly watch: (outgoing: ServerResponse, slot: ConnectionSlot) => void
  readonly close: () => void
} {
  const open = new Map<ServerResponse, Progress>()
  const looking = setInterval(look, stalledMs / 4).unref()

  function look(): void {
    const nowMs = performance.now()
    for (const [{ socket }, progress] of open) {
      const waitingBytes = socket?.writableLength ?? 0
      // Without unsent bytes the client is not slow: the hub has nothing to send.
      const takenBytes = socket === null || waitingBytes === 0 ? Number.NaN : socket.bytesWritten - waitingBytes
      if (takenBytes !== progress.takenBytes) Object.assign(progress, { takenBytes, sinceMs: nowMs })
      else if (nowMs - progress.sinceMs > stalledMs + (waitingBytes / readBytesPerSecond) * 1000) socket?.destroy()
    }
  }

  return {
    watch(outgoing, slot) {
      open.set(outgoing, { takenBytes: Number.NaN, sinceMs: 0 })
      // The response is complete. Bytes that the kernel has not accepted yet are in the hub's memory.
      outgoing.once('prefinish', () => {
        const waitingBytes = outgoing.socket?.writableLength ?? 0
        if (waitingBytes > 0) slot.holdBytes(waitingBytes)
      })
      outgoing.once('close', () => {
        open.delete(outgoing)
        slot.holdBytes(0)
      })
    },
    close: () => clearInterval(looking),
  }
}
