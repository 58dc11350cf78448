import type { CborMap, CborValue, Utf8 } from './value.ts'

const MAJOR_UNSIGNED = 0
const MAJOR_NEGATIVE = 1
const MAJOR_BYTES = 2
const MAJOR_TEXT = 3
const MAJOR_ARRAY = 4
const MAJOR_MAP = 5

// Looked up once, because property look-ups are slow in the agent's small JavaScript engine.
const { isSafeInteger } = Number

/** Initial size of the encoder's buffer in bytes, 1,024. Documents have a few kB, so two or three doublings suffice. */
const FIRST_BUFFER_BYTES = 1024

/** Maximum encoded size in bytes of the head of a CBOR item: one for its type, up to 8 for its length or number. */
const LONGEST_HEAD_BYTES = 9

/**
 * Encodes one CBOR item (RFC 8949) with definite lengths. Whole numbers below 2^53 in magnitude become integers of the shortest form,
 * because other hubs and agents refuse a float in an integer field. Other numbers (also −0) become 8-byte floats, and a `bigint` an
 * integer. Throws `RangeError` for a `bigint` beyond 64 bits.
 */
export function encodeCbor(value: CborValue, utf8: Utf8): Uint8Array {
  // Local variables and inner functions: in the agent's small JavaScript engine, members of an object cost several times as much.
  let buffer = new Uint8Array(FIRST_BUFFER_BYTES)
  let view = new DataView(buffer.buffer)
  let size = FIRST_BUFFER_BYTES
  let length = 0

  /** Writes one CBOR item of any type, including its elements, to the encoder's buffer. The most frequent types are tested first. */
  const write = (item: CborValue): void => {
    if (length + LONGEST_HEAD_BYTES > size) makeRoom(LONGEST_HEAD_BYTES)
    if (typeof item === 'number') writeNumber(item)
    else if (item === '') buffer[length++] = 0x60
    else if (typeof item === 'string') writeChunk(MAJOR_TEXT, utf8.encode(item))
    else if (item === null) buffer[length++] = 0xf6
    else if (item === false) buffer[length++] = 0xf4
    else if (item === true) buffer[length++] = 0xf5
    else if (item instanceof Map) writeMap(item)
    else if (item instanceof Uint8Array) writeChunk(MAJOR_BYTES, item)
    else if (typeof item === 'bigint') writeBigInteger(item)
    else writeArray(item as readonly CborValue[]) // the union leaves only the array; Map's narrowing does not say so
  }

  const writeArray = (items: readonly CborValue[]): void => {
    writeHead(MAJOR_ARRAY, items.length)
    // By index: an iterator costs the small engine more than the rest.
    for (let place = 0; place < items.length; place++) write(items[place] ?? null)
  }

  const writeMap = (map: CborMap): void => {
    writeHead(MAJOR_MAP, map.size)
    // `forEach` allocates no pair for each entry.
    map.forEach((item, key) => {
      // Nearly every key is one byte, which needs no function.
      if (typeof key === 'number' && key >>> 0 === key && key < 24 && length < size) buffer[length++] = key
      else write(key)
      write(item)
    })
  }

  const writeChunk = (major: number, bytes: Uint8Array): void => {
    writeHead(major, bytes.length)
    if (length + bytes.length > size) makeRoom(bytes.length)
    buffer.set(bytes, length)
    length += bytes.length
  }

  const writeNumber = (number: number): void => {
    // Most integers are below 2^32; these comparisons need no function call.
    if (number >>> 0 === number && number !== 0) {
      if (number < 24) buffer[length++] = number
      else writeHead(MAJOR_UNSIGNED, number)
    } else if (!isSafeInteger(number) || Object.is(number, -0)) {
      buffer[length] = 0xfb
      view.setFloat64(length + 1, number)
      length += 9
    } else if (number >= 0) writeHead(MAJOR_UNSIGNED, number)
    else writeHead(MAJOR_NEGATIVE, -1 - number)
  }

  const writeBigInteger = (integer: bigint): void => {
    const negative = integer < 0n
    const magnitude = negative ? -1n - integer : integer
    if (magnitude >= 1n << 64n) throw new RangeError(`Cannot encode "${integer}": CBOR integers have 64 bits`)
    const major = negative ? MAJOR_NEGATIVE : MAJOR_UNSIGNED
    if (magnitude <= BigInt(Number.MAX_SAFE_INTEGER)) writeHead(major, Number(magnitude))
    else {
      buffer[length] = (major << 5) | 27
      view.setBigUint64(length + 1, magnitude)
      length += 9
    }
  }

  /**
   * Writes the head of a CBOR item to the encoder's buffer: major type (0 to 7) and argument (value or length). The buffer must have 9 free
   * bytes.
   */
  const writeHead = (major: number, argument: number): void => {
    const first = major << 5
    if (argument < 24) buffer[length++] = first | argument
    else if (argument < 0x100) {
      buffer[length++] = first | 24
      buffer[length++] = argument
    } else if (argument < 0x1_0000) {
      buffer[length++] = first | 25
      buffer[length++] = argument >> 8
      buffer[length++] = argument & 0xff
    } else if (argument < 0x1_0000_0000) {
      buffer[length] = first | 26
      view.setUint32(length + 1, argument)
      length += 5
    } else {
      buffer[length] = first | 27
      view.setUint32(length + 1, Math.floor(argument / 0x1_0000_0000))
      view.setUint32(length + 5, argument % 0x1_0000_0000)
      length += 9
    }
  }

  const makeRoom = (wanted: number): void => {
    const grown = new Uint8Array(Math.max(length + wanted, size * 2))
    grown.set(buffer.subarray(0, length))
    buffer = grown
    size = grown.length
    view = new DataView(grown.buffer)
  }

  write(value)
  return buffer.slice(0, length)
}
