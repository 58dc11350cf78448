import { fnv1a } from '../../platform/fnv1a.ts'

/** Texts of more bytes are not remembered: names, ids and states are shorter. */
const LONGEST = 64
/** A power of 2; 20,000 containers' names and ids fill them. */
const SLOTS = 32_768

/** Reads the text of some bytes, `[from, to)`. */
type ReadText = (bytes: Uint8Array, from: number, to: number) => string

/**
 * The same bytes give the same string as the last time. Agents say the same names minute after minute: a string that is there
 * already costs no memory, and what it was looked up with is known of it. Only texts of ASCII are remembered; of two that fall
 * into one place, the later one.
 */
export function rememberedTexts(read: ReadText): ReadText {
  const texts = Array.from({ length: SLOTS }, () => '')
  return (bytes, from, to) => {
    if (to - from > LONGEST) return read(bytes, from, to)
    if (!isAscii(bytes, from, to)) return read(bytes, from, to)
    const hash = fnv1a(bytes, from, to)
    const place = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const last = texts[place] ?? ''
    if (isSaid(last, bytes, from, to)) return last
    const text = read(bytes, from, to)
    texts[place] = text
    return text
  }
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((bytes[at] ?? 0) > 0x7f) return false
  return true
}

function isSaid(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false
  return true
}
