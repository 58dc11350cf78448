import type { Header } from '../runtime.ts'

/**
 * Part of an HTTP response as the incremental parser returns it: `head`, `data` or `end`. In the end part, `reusable` is true if the
 * connection may carry another request.
 */
export type ResponsePart =
  | { readonly kind: 'head'; readonly status: number; readonly headers: readonly Header[] }
  | { readonly kind: 'data'; readonly data: Buffer }
  | { readonly kind: 'end'; readonly reusable: boolean }

export class HttpMalformed extends Error {
  override readonly name = 'HttpMalformed'
}

const MAX_HEAD_BYTES = 32 * 1024
/**
 * Size limit in bytes, 1,024, of the line with the size (hexadecimal) before each chunk of an HTTP body. A longer line makes the response
 * invalid.
 */
const MAX_CHUNK_LINE_BYTES = 1024
const CRLF_BYTES = 2

type State = 'head' | 'body by length' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'body until close' | 'over'

/**
 * Incremental parser of one HTTP/1.1 response (RFC 9112); input may be split anywhere. It is used for Docker instead of Node's client,
 * which costs twice the CPU time for each small request.
 */
export class HttpResponseReader {
  #state: State = 'head'
  #rest: Buffer = Buffer.alloc(0)
  /** Number of bytes that remain of an HTTP body with a Content-Length, or of the current chunk. */
  #leftBytes = 0
  #keepsOpen = true

  /**
   * Parses the next bytes of the HTTP response and returns a list of the parts that are now complete. Throws `HttpMalformed`; the reader is
   * unusable afterwards.
   */
  feed(piece: Buffer): readonly ResponsePart[] {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const parts: ResponsePart[] = []
    while (this.#step(parts)) {
      // Each step consumes one complete element of the buffered bytes.
    }
    return parts
  }

  /**
   * Ends the parsing of an HTTP response when its connection has ended. Returns the end part, for a body without a length. Throws
   * `HttpMalformed` if the response is incomplete.
   */
  close(): ResponsePart {
    if (this.#state !== 'body until close') throw new HttpMalformed('the connection was closed in the middle of the answer')
    this.#state = 'over'
    return { kind: 'end', reusable: false }
  }

  /**
   * Parses the next element in the buffer, such as the head or a chunk of the HTTP response, and appends the result to `parts`. Returns
   * false when more bytes are needed.
   */
  #step(parts: ResponsePart[]): boolean {
    switch (this.#state) {
      case 'head':
        return this.#readHead(parts)
      case 'body by length':
      case 'chunk':
        return this.#readCounted(parts)
      case 'chunk size':
        return this.#readChunkSize()
      case 'chunk end':
        return this.#readChunkEnd()
      case 'trailer':
        return this.#readTrailer(parts)
      case 'body until close':
        return this.#readAll(parts)
      case 'over':
        return false
    }
  }

  #readHead(parts: ResponsePart[]): boolean {
    const length = this.#rest.indexOf('\r\n\r\n')
    if (length === -1) {
      if (this.#rest.length > MAX_HEAD_BYTES) throw new HttpMalformed('the head of the answer is too long')
      return false
    }
    const [statusLine = '', ...lines] = this.#take(length + 2 * CRLF_BYTES)
      .toString('latin1', 0, length)
      .split('\r\n')
    const [, minor, digits] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? []
    if (digits === undefined) throw new HttpMalformed('the answer is not HTTP/1.1')
    const status = Number(digits)
    const headers = lines.map(toHeader)
    // An interim (1xx) response; the final one follows.
    if (status >= 100 && status < 200) return true
    const valueOf = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1].toLowerCase()
    this.#keepsOpen = minor === '1' && valueOf('connection') !== 'close'
    parts.push({ kind: 'head', status, headers })
    if (valueOf('transfer-encoding')?.endsWith('chunked') === true) this.#state = 'chunk size'
    else this.#expectBody(status, valueOf('content-length'), parts)
    return true
  }

  #expectBody(status: number, length: string | undefined, parts: ResponsePart[]): void {
    if (length === undefined && status !== 204 && status !== 304) {
      this.#state = 'body until close'
      return
    }
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new HttpMalformed('the length of the answer is not a number')
    this.#leftBytes = status === 204 || status === 304 ? 0 : Number(length)
    this.#state = 'body by length'
    if (this.#leftBytes === 0) this.#finish(parts)
  }

  #readCounted(parts: ResponsePart[]): boolean {
    if (this.#rest.length === 0) return false
    const data = this.#take(Math.min(this.#leftBytes, this.#rest.length))
    this.#leftBytes -= data.length
    parts.push({ kind: 'data', data })
    if (this.#leftBytes > 0) return false
    if (this.#state === 'chunk') this.#state = 'chunk end'
    else this.#finish(parts)
    return true
  }

  #readChunkSize(): boolean {
    const line = this.#takeLine()
    if (line === undefined) return false
    const [, digits] = /^([0-9a-fA-F]{1,12})\s*(?:;.*)?$/.exec(line) ?? []
    if (digits === undefined) throw new HttpMalformed('a chunk of the answer has no size')
    this.#leftBytes = Number.parseInt(digits, 16)
    this.#state = this.#leftBytes === 0 ? 'trailer' : 'chunk'
    return true
  }

  #readChunkEnd(): boolean {
    const line = this.#takeLine()
    if (line === undefined) return false
    if (line !== '') throw new HttpMalformed('a chunk of the answer is longer than its size')
    this.#state = 'chunk size'
    return true
  }

  #readTrailer(parts: ResponsePart[]): boolean {
    const line = this.#takeLine()
    if (line === '') this.#finish(parts)
    return line !== undefined
  }

  #readAll(parts: ResponsePart[]): boolean {
    if (this.#rest.length > 0) parts.push({ kind: 'data', data: this.#take(this.#rest.length) })
    return false
  }

  #finish(parts: ResponsePart[]): void {
    this.#state = 'over'
    // Surplus bytes after the response would be mistaken for the next one, so the connection is not reused.
    parts.push({ kind: 'end', reusable: this.#keepsOpen && this.#rest.length === 0 })
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  #takeLine(): string | undefined {
    const length = this.#rest.indexOf('\r\n')
    if (length === -1 || length > MAX_CHUNK_LINE_BYTES) {
      if (this.#rest.length > MAX_CHUNK_LINE_BYTES) throw new HttpMalformed('a line between chunks of the answer is too long')
      return undefined
    }
    return this.#take(length + CRLF_BYTES).toString('latin1', 0, length)
  }
}

function toHeader(line: string): Header {
  const colon = line.indexOf(':')
  if (colon < 1) throw new HttpMalformed('a header of the answer has no name')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
