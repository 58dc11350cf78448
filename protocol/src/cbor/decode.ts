import type { CborValue, Utf8 } from './value.ts'

/** Error result of decoding CBOR: a reason as text, and `offset`, the index of the byte at which decoding stopped. */
export type CborError = {
  readonly reason: 'truncated' | 'malformed' | 'too deep' | 'too large'
  readonly offset: number
}

export type CborResult =
  | { readonly ok: true; readonly value: CborValue; readonly bytesRead: number }
  | { readonly ok: false; readonly error: CborError }

/** Maximum nesting depth, 32, of arrays and maps in a CBOR document. A deeper document is refused as a whole. */
const MAX_DEPTH = 32
const MAX_ITEMS = 131_072
const BREAK = Symbol('break')

/**
 * Decodes the first CBOR item (RFC 8949) of `bytes`; the remaining bytes start at `bytesRead`. Never throws: any input gives a value or an
 * error, also nesting beyond 32 and more than 131,072 items in an array or map. The first of repeated keys counts; entries whose keys are
 * neither text nor whole numbers, or have 2^53 and more in magnitude, are dropped. Tags are dropped, and simple values other than booleans
 * become `null`.
 */
export function decodeCbor(bytes: Uint8Array, utf8: Utf8): CborResult {
  const reader = readerOf(bytes, utf8)
  try {
    const value = readItem(reader, 0)
    if (value === BREAK) return failed('malformed', 0)
    return { ok: true, value, bytesRead: reader.offset }
  } catch (error) {
    if (error instanceof Refusal) return failed(error.reason, reader.offset)
    throw error
  }
}

const failed = (reason: CborError['reason'], offset: number): CborResult => ({ ok: false, error: { reason, offset } })

class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: CborError['reason']
  constructor(reason: CborError['reason']) {
    super(`Cannot decode CBOR: ${reason}`)
    this.reason = reason
  }
}

/**
 * State of the CBOR decoder: input bytes and position of the next byte. It is a plain object, because a class with private members takes
 * twice the time in the agent's small JavaScript engine.
 */
type Reader = { readonly bytes: Uint8Array; view: DataView | undefined; readonly utf8: Utf8; offset: number }

const readerOf = (bytes: Uint8Array, utf8: Utf8): Reader => ({
  // A plain view: subclasses of other runtimes slice without copying.
  bytes: bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  view: undefined,
  utf8,
  offset: 0,
})

/** Returns a DataView of the input bytes of the CBOR decoder. It is created on first use, because small messages need none. */
const viewOf = (reader: Reader): DataView =>
  (reader.view ??= new DataView(reader.bytes.buffer, reader.bytes.byteOffset, reader.bytes.byteLength))

function readItem(reader: Reader, depth: number): CborValue | typeof BREAK {
  if (depth > MAX_DEPTH) throw new Refusal('too deep')
  const first = readByte(reader)
  const major = first >> 5
  const info = first & 31
  switch (major) {
    case 0:
      return info < 24 ? info : narrow(readArgument(reader, info))
    case 1:
      return negative(readArgument(reader, info))
    case 2:
      return readByteString(reader, info)
    case 3:
      return readText(reader, info)
    case 4:
      return readArray(reader, info, depth)
    case 5:
      return readMap(reader, info, depth)
    case 6:
      readArgument(reader, info)
      return readValue(reader, depth + 1)
    default:
      return readSimple(reader, info)
  }
}

function readValue(reader: Reader, depth: number): CborValue {
  const value = readItem(reader, depth)
  if (value === BREAK) throw new Refusal('malformed')
  return value
}

/**
 * Advances the CBOR reader's position by `size` bytes and returns the offset at which these bytes start. Throws when the input is too
 * short.
 */
function take(reader: Reader, size: number): number {
  const at = reader.offset
  if (at + size > reader.bytes.length) throw new Refusal('truncated')
  reader.offset = at + size
  return at
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.offset]
  if (byte === undefined) throw new Refusal('truncated')
  reader.offset += 1
  return byte
}

function readArgument(reader: Reader, info: number): number | bigint {
  if (info < 24) return info
  if (info === 24) return readByte(reader)
  if (info === 25) return readByte(reader) * 0x100 + readByte(reader)
  if (info === 26) return viewOf(reader).getUint32(take(reader, 4))
  if (info === 27) return viewOf(reader).getBigUint64(take(reader, 8))
  throw new Refusal('malformed')
}

function readText(reader: Reader, info: number): string {
  const length = readLength(reader, info, Number.MAX_SAFE_INTEGER)
  if (length === undefined) return reader.utf8.decode(readChunks(reader, 3))
  const from = take(reader, length)
  return reader.utf8.decode(reader.bytes, from, reader.offset)
}

/**
 * Reads and returns the length of a CBOR string (in bytes), array or map (in items), which follows its first byte; `undefined` for the
 * indefinite form. Throws when the length exceeds `max`.
 */
function readLength(reader: Reader, info: number, max: number): number | undefined {
  if (info === 31) return undefined
  const length = Number(readArgument(reader, info))
  if (length > max) throw new Refusal('too large')
  return length
}

function readByteString(reader: Reader, info: number): Uint8Array {
  const length = readLength(reader, info, Number.MAX_SAFE_INTEGER)
  return length === undefined ? readChunks(reader, 2) : slice(reader, length)
}

/**
 * Reads the chunks of an indefinite-length CBOR byte or text string (`major` is its major type) up to the break, and returns the joined
 * bytes.
 */
function readChunks(reader: Reader, major: number): Uint8Array {
  const parts: Uint8Array[] = []
  for (;;) {
    const first = readByte(reader)
    if (first === 0xff) return concatenate(parts)
    const size = readLength(reader, first & 31, Number.MAX_SAFE_INTEGER)
    if (first >> 5 !== major || size === undefined) throw new Refusal('malformed')
    parts.push(slice(reader, size))
  }
}

function slice(reader: Reader, length: number): Uint8Array {
  const from = take(reader, length)
  return reader.bytes.slice(from, reader.offset)
}

function readArray(reader: Reader, info: number, depth: number): CborValue[] {
  const length = readLength(reader, info, MAX_ITEMS)
  const items: CborValue[] = []
  while (length === undefined || items.length < length) {
    const item = readItem(reader, depth + 1)
    if (item === BREAK) {
      if (length === undefined) return items
      throw new Refusal('malformed')
    }
    if (items.length >= MAX_ITEMS) throw new Refusal('too large')
    items.push(item)
  }
  return items
}

function readMap(reader: Reader, info: number, depth: number): Map<number | string, CborValue> {
  const length = readLength(reader, info, MAX_ITEMS)
  const map = new Map<number | string, CborValue>()
  for (let pairs = 0; length === undefined || pairs < length; pairs++) {
    const key = readItem(reader, depth + 1)
    if (key === BREAK) {
      if (length === undefined) return map
      throw new Refusal('malformed')
    }
    if (pairs >= MAX_ITEMS) throw new Refusal('too large')
    const value = readValue(reader, depth + 1)
    if ((typeof key === 'string' || Number.isInteger(key)) && !map.has(key as number | string)) map.set(key as number | string, value)
  }
  return map
}

function readSimple(reader: Reader, info: number): CborValue | typeof BREAK {
  switch (info) {
    case 20:
      return false
    case 21:
      return true
    case 22:
    case 23:
      return null
    case 24:
      readByte(reader)
      return null
    case 25:
      return halfFloat(viewOf(reader).getUint16(take(reader, 2)))
    case 26:
      return viewOf(reader).getFloat32(take(reader, 4))
    case 27:
      return viewOf(reader).getFloat64(take(reader, 8))
    case 31:
      return BREAK
    default:
      if (info < 20) return null
      throw new Refusal('malformed')
  }
}

function negative(argument: number | bigint): number | bigint {
  return typeof argument === 'number' ? -1 - argument : narrow(-1n - argument)
}

function narrow(integer: number | bigint): number | bigint {
  const value = Number(integer)
  return Number.isSafeInteger(value) ? value : integer
}

/** Returns the number of a half-precision float given as 16 bits (RFC 8949 appendix D): 1 sign bit, 5 exponent bits, 10 fraction bits. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
