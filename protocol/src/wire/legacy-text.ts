import type { Json } from './stats-json.ts'

const WORD = /\w/
const depthChanges: ReadonlyMap<string, 1 | -1> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
])

/** Returns true when an agent's output is JSON rather than CBOR: it begins with an object, a list or `null`, as no CBOR document does. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20)
  return first === 0x7b || first === 0x5b || (first === 0x6e && bytes.includes(0x75))
}

/**
 * Parses the first complete JSON value of a text and returns it; the rest is ignored. Agents before 0.12 write their sample once or twice,
 * with or without a newline. `undefined` when there is none, it is a string, or it is nested deeper than 32.
 */
export function firstJson(text: string): Json | undefined {
  const end = endOfFirst(text)
  if (end === undefined) return undefined
  try {
    return JSON.parse(text.slice(0, end).replace(/^\uFEFF/, '')) as Json // whatever JSON.parse returns is JSON
  } catch {
    return undefined
  }
}

/**
 * Maximum nesting depth, 32, of JSON from an agent, as for CBOR. A deeper text counts as invalid, because it could overflow a parser's
 * stack.
 */
const MAX_DEPTH = 32

/**
 * Returns the index after the first JSON value of a text: after its closing bracket; for a number or word, the next white space.
 * `undefined` when the value is a string, incomplete or too deep.
 */
function endOfFirst(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '"') at = endOfText(text, at)
    else if (depth === 0 && WORD.test(sign)) return endOfWord(text, at)
    depth += depthChanges.get(sign) ?? 0
    if (depth > MAX_DEPTH) return undefined
    if (depth <= 0 && (sign === '}' || sign === ']')) return at + 1
  }
  return undefined
}

/** Returns the index of the closing quote of the JSON string that starts at `start`, or the text's length if there is none. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

function endOfWord(text: string, start: number): number {
  const length = text.slice(start).search(/\s/)
  return length === -1 ? text.length : start + length
}
