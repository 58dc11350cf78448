import type { Bytes } from '../../runtime/runtime.ts'

/**
 * Parser of a container's log stream (`GET /containers/{id}/logs`), with or without frames. A frame has a header of 8 bytes (stream number,
 * three zeros, length), then text.
 */
export type LogReader = {
  /**
   * Parses the next piece of a log stream. Returns an error message for a malformed stream, whose further pieces are ignored; otherwise
   * `undefined`.
   */
  readonly read: (piece: Bytes) => string | undefined
  /** Returns the text of the log received so far, as UTF-8 bytes. It ends at the size limit; later bytes were dropped. */
  readonly bytes: () => Bytes
}

const HEAD_BYTES = 8
const MAX_FRAME_BYTES = 1024 * 1024

export type LogForm = 'frames' | 'raw' | 'guess'

export function formOf(contentType: string | undefined): LogForm {
  if (contentType?.endsWith('multiplexed-stream') === true) return 'frames'
  return contentType?.endsWith('raw-stream') === true ? 'raw' : 'guess'
}

export function logReader(form: LogForm, maxBytes: number): LogReader {
  const pieces: Bytes[] = []
  let length = 0
  let known: 'frames' | 'raw' | undefined = form === 'guess' ? undefined : form
  let head: Bytes = new Uint8Array()
  let leftInFrame = 0
  let problem: string | undefined

  const keep = (bytes: Bytes): void => {
    const fitting = bytes.subarray(0, maxBytes - length)
    if (fitting.length > 0) pieces.push(fitting.slice())
    length += fitting.length
  }

  const readFrames = (piece: Bytes): void => {
    let at = 0
    while (at < piece.length && problem === undefined) {
      if (leftInFrame > 0) {
        const part = piece.subarray(at, at + leftInFrame)
        keep(part)
        leftInFrame -= part.length
        at += part.length
        continue
      }
      const part = piece.subarray(at, at + HEAD_BYTES - head.length)
      head = joined([head, part])
      at += part.length
      if (head.length < HEAD_BYTES) return
      leftInFrame = frameLength(head)
      head = new Uint8Array()
      if (leftInFrame > MAX_FRAME_BYTES) problem = `Cannot read the log: a frame of ${leftInFrame} bytes, more than ${MAX_FRAME_BYTES}`
    }
  }

  const readOn = (piece: Bytes): void => {
    if (known === 'raw') keep(piece)
    else if (known === 'frames') readFrames(piece)
    else {
      head = joined([head, piece])
      if (head.length < HEAD_BYTES) return
      const start = head
      head = new Uint8Array()
      known = looksLikeHead(start) ? 'frames' : 'raw'
      readOn(start)
    }
  }

  return {
    read: (piece) => {
      if (problem === undefined && length < maxBytes) readOn(piece)
      return problem
    },
    bytes: () => joined(known === undefined ? [...pieces, head] : pieces),
  }
}

const frameLength = (head: Bytes): number => new DataView(head.buffer, head.byteOffset).getUint32(4)

const looksLikeHead = (start: Bytes): boolean =>
  (start[0] === 1 || start[0] === 2) && start[1] === 0 && start[2] === 0 && start[3] === 0 && frameLength(start) <= MAX_FRAME_BYTES

function joined(pieces: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
