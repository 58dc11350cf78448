/** Grows as it is written to. Integers are variable-length: seven bits a byte, the lowest first, a set top bit says that more follows. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** A whole number from 0 to 2^53. */
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

  /** A whole number from −2^52 to 2^52; small ones of either sign are short. */
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

  /** A copy of what was written; the writer begins again. */
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
