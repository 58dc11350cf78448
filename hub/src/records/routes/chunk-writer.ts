import type { ServerResponse } from 'node:http'
import type { Connection } from '../realtime/event-stream.ts'

/**
 * Writes to the body of an answer that goes on for hours. Many readers are told something many times a second, so a piece of
 * text is framed here, as one chunk (RFC 9112, 7.1), and given to the socket as a whole: that takes half of what the
 * response's own way takes, which hands over a chunk in three parts and corks the socket around them.
 */
export function chunkWriter(outgoing: ServerResponse): Connection {
  let full: ServerResponse | NonNullable<ServerResponse['socket']> = outgoing
  return {
    isOpen: () => outgoing.headersSent && !outgoing.destroyed,
    write(text) {
      if (text === '') return true // as a chunk it would be the last one
      const { socket } = outgoing
      // What the response still holds itself goes first; one without chunks (HTTP/1.0) ends with its connection.
      const isOnItsOwn = socket === null || !outgoing.chunkedEncoding || outgoing.writableLength > 0
      full = isOnItsOwn ? outgoing : socket
      return isOnItsOwn ? outgoing.write(text) : socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
    },
    onceDrained: (listener) => void full.once('drain', listener),
    cut: () => void outgoing.destroy(),
  }
}
