const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** 32-bit FNV-1a hash (RFC 9923) of the bytes `[from, to)`, 0 to 2^32 − 1. It spreads names evenly, but does not resist chosen names. */
export function fnv1a(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = OFFSET_BASIS
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), PRIME)
  return hash >>> 0
}
