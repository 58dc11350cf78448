/** Numbers in one piece: columns of some hours are a hundred times shorter. */
const PIECE = 16_384

let piece = new Float64Array(0)
let used = 0

/**
 * Room for so many numbers, all 0. Short ones share a piece of memory, as `Buffer` has it: a reading takes hundreds, and each
 * piece of its own costs more to make and to collect than what is in it.
 */
export function roomFor(length: number): Float64Array {
  if (length > PIECE / 4) return new Float64Array(length)
  if (used + length > piece.length) {
    piece = new Float64Array(PIECE)
    used = 0
  }
  used += length
  return piece.subarray(used - length, used)
}

/** The same, all unknown. */
export const unknownNumbers = (length: number): Float64Array => roomFor(length).fill(Number.NaN)
