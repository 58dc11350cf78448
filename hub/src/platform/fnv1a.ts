const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

const encoder = new TextEncoder()

/** 32-bit FNV-1a hash (RFC 9923) of a text's UTF-8, 0 to 2^32 − 1. It spreads names evenly, but does not resist chosen names. */
export function fnv1a(text: string): number {
  let hash = OFFSET_BASIS
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, PRIME)
  return hash >>> 0
}
