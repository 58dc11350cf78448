import type { Utf8 } from '@vedette/protocol/cbor/value'
import { fnv1a } from './fnv1a.ts'

/** Maximum length of an interned text. Names, ids and states are shorter. */
const LONGEST_INTERNED_BYTES = 64
/** Size of the cache: a power of 2, enough for the names and ids of 20,000 containers. */
const SLOTS = 32_768

/** Decodes the bytes `[from, to)`. */
type Decode = (bytes: Uint8Array, from: number, to: number) => string

/**
 * Interns decoded texts: equal bytes return the same string. Agents send the same names every minute, and an interned string needs no
 * new memory and no new hash. Only ASCII is interned. A slot holds the last text with its hash.
 */
export function interned(decode: Decode): Decode {
  const texts = Array.from({ length: SLOTS }, () => '')
  return (bytes, from, to) => {
    if (to - from > LONGEST_INTERNED_BYTES || !isAscii(bytes, from, to)) return decode(bytes, from, to)
    const hash = fnv1a(bytes, from, to)
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const last = texts[slot] ?? ''
    if (isEqual(last, bytes, from, to)) return last
    const text = decode(bytes, from, to)
    texts[slot] = text
    return text
  }
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 0x7f) return false
  return true
}

function isEqual(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false
  return true
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const decode = interned((bytes, from, to) => decoder.decode(bytes.subarray(from, to)))

/** The runtime's UTF-8 codec, for the CBOR of the protocol. */
export const utf8: Utf8 = {
  encode: (text) => encoder.encode(text),
  decode: (bytes, from = 0, to = bytes.length) => decode(bytes, from, to),
}
