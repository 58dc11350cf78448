/** Numbers in one piece: columns of some hours are a hundred times shorter. */
const PIECE = 16_384

/** V8 keeps arrays of so many numbers (64 bytes) among its objects, which costs less than a share of a piece. */
const FEW = 8

let piece = new Float64Array(0)
let used = 0

/**
 * Room for so many numbers, all 0. Short ones share a piece of memory, as `Buffer` has it: a reading takes hundreds, and each
 * piece of its own costs more to make and to collect than what is in it.
 */
export function roomFor(length: number): Float64Array {
  if (length <= FEW || length > PIECE / 4) return new Float64Array(length)
  if (used + length > piece.length) {
    piece = new Float64Array(PIECE)
    used = 0
  }
  const from = used
  used += length
  return new Float64Array(piece.buffer, from * Float64Array.BYTES_PER_ELEMENT, length)
}

/** The same, all unknown. */
export const unknownNumbers = (length: number): Float64Array => roomFor(length).fill(Number.NaN)
