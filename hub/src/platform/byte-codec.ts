/** Thrown when bytes cannot be decoded, because they are truncated or a `ByteWriter` did not write them. */
export class DamagedBytesError extends Error {
  override readonly name = 'DamagedBytesError'
}

/** Reader of numbers and bytes from a buffer that a `ByteWriter` produced. A read past the end throws {@link DamagedBytesError}. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** Returns the current read position of the byte reader: the offset in bytes from the start of its buffer. */
  get at(): number {
    return this.#at
  }

  /**
   * Returns those bytes of the reader's buffer that lie between the offset `from` and the current read position. The result is a view, not
   * a copy.
   */
  since(from: number): Uint8Array {
    return this.#bytes.subarray(from, this.#at)
  }

  /** Skips the reader's next bytes and returns true if they equal `expected`. Otherwise the read position stays and the result is false. */
  passes(expected: Uint8Array): boolean {
    for (let index = 0; index < expected.length; index++) if (this.#bytes[this.#at + index] !== expected[index]) return false
    this.#at += expected.length
    return true
  }

  byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw new DamagedBytesError('it ends too early')
    return value
  }

  integer(): number {
    let value = this.byte()
    // Fast path: most integers take one byte.
    if (value < 0x80) return value
    value &= 0x7f
    let factor = 128
    for (;;) {
      const byte = this.byte()
      value += (byte & 0x7f) * factor
      if (byte < 0x80) break
      factor *= 128
      if (factor > 2 ** 49) throw new DamagedBytesError('a number in it is too large')
    }
    return value
  }

  signed(): number {
    const value = this.integer()
    return value % 2 === 0 ? value / 2 : (value + 1) / -2
  }

  /**
   * Reads as many signed differences (delta encoding) as the array `column` has elements, and fills `column` with their running sums. The
   * differences 5, 1, −2 give 5, 6, 4.
   */
  sums(column: Float64Array): void {
    const bytes = this.#bytes
    let sum = 0
    for (let place = 0; place < column.length; place++) {
      const first = bytes[this.#at] ?? 0x80
      const second = bytes[this.#at + 1] ?? 0x80
      // Fast path: nearly all differences take one or two bytes.
      if (first < 0x80) {
        this.#at += 1
        sum += (first >>> 1) ^ -(first & 1)
      } else if (second < 0x80) {
        this.#at += 2
        const value = (first & 0x7f) | (second << 7)
        sum += (value >>> 1) ^ -(value & 1)
      } else sum += this.signed()
      column[place] = sum
    }
  }

  /**
   * Moves the read position behind the next `count` variable-length integers (LEB128), without decoding them and without a result. Used to
   * skip values that are not needed.
   */
  skipIntegers(count: number): void {
    for (let passed = 0; passed < count;) if (this.byte() < 0x80) passed += 1
  }

  double(): number {
    const bytes = this.bytes(8)
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
  }

  bytes(length: number): Uint8Array {
    if (length > this.left) throw new DamagedBytesError('it ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /**
   * Reads the number of entries of a list that follows in the reader's buffer. `leastBytes` is the minimum size of one entry in bytes.
   * Throws {@link DamagedBytesError} when that many entries do not fit into the remaining bytes.
   */
  count(leastBytes: number): number {
    const count = this.integer()
    if (count * leastBytes > this.left) throw new DamagedBytesError(`it says ${count} entries in ${this.left} bytes`)
    return count
  }
}

/**
 * A growing byte buffer for encoding. Integers are variable-length (LEB128): 7 bits a byte, lowest first; a set top bit means that more
 * bytes follow.
 */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** Appends a whole number from 0 to 2^53 to the writer's buffer, as LEB128 (7 bits a byte, lowest first). */
  integer(value: number): void {
    let rest = value
    while (rest >= 0x8000_0000) {
      this.byte((rest % 128) | 0x80)
      rest = Math.floor(rest / 128)
    }
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  /**
   * Appends a whole number from −2^52 to 2^52 to the writer's buffer in zigzag encoding, so that small numbers of either sign are short.
   */
  signed(value: number): void {
    this.integer(value >= 0 ? value * 2 : value * -2 - 1)
  }

  double(value: number): void {
    this.bytes(new Uint8Array(new Float64Array([value]).buffer))
  }

  bytes(value: Uint8Array): void {
    if (this.#length + value.length > this.#bytes.length) this.#grow(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Returns the bytes that were written so far as a copy, and empties the writer for reuse. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  #grow(atLeast: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + atLeast))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/**
 * Writes a list of ascending whole numbers in a compact form: as runs of consecutive numbers such as 7, 8, 9. For each run it writes the
 * gap before it and its length minus 1. {@link readNumberRuns} reads them.
 */
export function writeNumberRuns(writer: ByteWriter, ascending: readonly number[]): void {
  let runs = 0
  for (let at = 0; at < ascending.length; at = endOfRun(ascending, at)) runs += 1
  writer.integer(runs)
  let next = 0
  for (let at = 0; at < ascending.length;) {
    const end = endOfRun(ascending, at)
    const first = ascending[at] ?? 0
    writer.integer(first - next)
    writer.integer(end - at - 1)
    next = first + (end - at)
    at = end
  }
}

/**
 * Returns the index after the last number of the run that begins at the index `at` of `ascending`. A run has consecutive numbers such as 7,
 * 8, 9.
 */
function endOfRun(ascending: readonly number[], at: number): number {
  const first = ascending[at] ?? 0
  let end = at + 1
  while (end < ascending.length && ascending[end] === first + (end - at)) end += 1
  return end
}

/** Reads the ascending numbers that {@link writeNumberRuns} wrote. Throws {@link DamagedBytesError} for more than `most` numbers. */
export function readNumberRuns(reader: ByteReader, most: number): readonly number[] {
  const numbers: number[] = []
  const runs = reader.count(2)
  let next = 0
  for (let run = 0; run < runs; run++) {
    const first = next + reader.integer()
    const length = reader.integer() + 1
    if (numbers.length + length > most) throw new DamagedBytesError(`it says more than ${most} numbers`)
    for (let number = first; number < first + length; number++) numbers.push(number)
    next = first + length
  }
  return numbers
}
