const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

const encoder = new TextEncoder()

/**
 * Returns the 32-bit FNV-1a hash (RFC 9923) of a text's UTF-8 bytes, 0 to 2^32 − 1. Spreads names evenly, but does not resist chosen
 * collisions.
 */
export function fnv1a(text: string): number {
  let hash = OFFSET_BASIS
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, PRIME)
  return hash >>> 0
}
