import type { CborMap, CborValue, Utf8 } from './value.ts'

const MAJOR_UNSIGNED = 0
const MAJOR_NEGATIVE = 1
const MAJOR_BYTES = 2
const MAJOR_TEXT = 3
const MAJOR_ARRAY = 4
const MAJOR_MAP = 5

/**
 * Encodes one CBOR item (RFC 8949) with definite lengths.
 * Whole numbers become integers of the shortest form, all others 8-byte floats: peers refuse a float in an integer field
 * but accept an integer in a float field.
 */
export function encodeCbor(value: CborValue, utf8: Utf8): Uint8Array {
  const output = new Output()
  write(output, value, utf8)
  return output.bytes()
}

function write(output: Output, value: CborValue, utf8: Utf8): void {
  if (value === null) output.byte(0xf6)
  else if (typeof value === 'boolean') output.byte(value ? 0xf5 : 0xf4)
  else if (typeof value === 'number') writeNumber(output, value)
  else if (typeof value === 'bigint') writeBigInteger(output, value)
  else if (typeof value === 'string') writeChunk(output, MAJOR_TEXT, utf8.encode(value))
  else if (value instanceof Uint8Array) writeChunk(output, MAJOR_BYTES, value)
  else if (value instanceof Map) writeMap(output, value, utf8)
  else writeArray(output, value as readonly CborValue[], utf8) // the union leaves only the array; Map's narrowing does not say so
}

function writeArray(output: Output, items: readonly CborValue[], utf8: Utf8): void {
  output.head(MAJOR_ARRAY, items.length)
  for (const item of items) write(output, item, utf8)
}

function writeMap(output: Output, map: CborMap, utf8: Utf8): void {
  output.head(MAJOR_MAP, map.size)
  // No pair is made of each entry: the agent's small engine feels it.
  map.forEach((item, key) => {
    write(output, key, utf8)
    write(output, item, utf8)
  })
}

function writeChunk(output: Output, major: number, bytes: Uint8Array): void {
  output.head(major, bytes.length)
  output.raw(bytes)
}

function writeNumber(output: Output, value: number): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) output.float(value)
  else if (value >= 0) output.head(MAJOR_UNSIGNED, value)
  else output.head(MAJOR_NEGATIVE, -1 - value)
}

function writeBigInteger(output: Output, value: bigint): void {
  const negative = value < 0n
  const magnitude = negative ? -1n - value : value
  if (magnitude >= 1n << 64n) throw new RangeError(`Cannot encode "${value}": CBOR integers have 64 bits`)
  const major = negative ? MAJOR_NEGATIVE : MAJOR_UNSIGNED
  if (magnitude <= BigInt(Number.MAX_SAFE_INTEGER)) output.head(major, Number(magnitude))
  else output.wideHead(major, magnitude)
}

/** A growing buffer; documents are a few kilobytes, so doubling from 1 KiB settles after two or three copies. */
class Output {
  #buffer = new Uint8Array(1024)
  #view = new DataView(this.#buffer.buffer)
  #length = 0

  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length)
  }

  byte(value: number): void {
    const at = this.#take(1)
    this.#buffer[at] = value
  }

  raw(bytes: Uint8Array): void {
    const at = this.#take(bytes.length)
    this.#buffer.set(bytes, at)
  }

  float(value: number): void {
    const at = this.#take(9)
    this.#buffer[at] = 0xfb
    this.#view.setFloat64(at + 1, value)
  }

  head(major: number, argument: number): void {
    const first = major << 5
    if (argument < 24) this.byte(first | argument)
    else if (argument < 0x100) {
      const at = this.#take(2)
      this.#buffer[at] = first | 24
      this.#buffer[at + 1] = argument
    } else if (argument < 0x1_0000) {
      const at = this.#take(3)
      this.#buffer[at] = first | 25
      this.#view.setUint16(at + 1, argument)
    } else if (argument < 0x1_0000_0000) {
      const at = this.#take(5)
      this.#buffer[at] = first | 26
      this.#view.setUint32(at + 1, argument)
    } else this.wideHead(major, BigInt(argument))
  }

  wideHead(major: number, argument: bigint): void {
    const at = this.#take(9)
    this.#buffer[at] = (major << 5) | 27
    this.#view.setBigUint64(at + 1, argument)
  }

  /** Moves on by so many bytes and gives where they begin. */
  #take(size: number): number {
    const at = this.#length
    this.#length += size
    if (this.#length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(this.#length, this.#buffer.length * 2))
      grown.set(this.#buffer.subarray(0, at))
      this.#buffer = grown
      this.#view = new DataView(grown.buffer)
    }
    return at
  }
}
