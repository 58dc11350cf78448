import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/**
 * Wraps a request listener so that it handles the requests of each connection one after the other. A client may pipeline requests (RFC
 * 9112, 9.3.2); handled at once, their responses would pile up in memory.
 */
export function oneAtATime(listener: Listener): Listener {
  const waiting = new WeakMap<Socket, (readonly [IncomingMessage, ServerResponse])[]>()

  function handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    outgoing.once('close', () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else handle(...next)
    })
    void listener(incoming, outgoing)
  }

  return (incoming, outgoing) => {
    const queue = waiting.get(incoming.socket)
    if (queue !== undefined) return void queue.push([incoming, outgoing])
    waiting.set(incoming.socket, [])
    handle(incoming, outgoing)
  }
}
