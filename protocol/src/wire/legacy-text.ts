import type { Json } from './stats-json.ts'

const OPENING = /["{[]/
const WHITE = /[\s\uFEFF]/

/** Whether what an agent wrote is JSON rather than CBOR: no document in CBOR begins like an object, a list or "null". */
export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20)
  return first === 0x7b || first === 0x5b || (first === 0x6e && bytes.includes(0x75))
}

/**
 * The first complete JSON value of a text, whatever follows it: agents before 0.12 write their document once or twice,
 * with or without a newline. `undefined` when there is none.
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

/** Where the first value ends: a list or an object with its last bracket, anything else at the next white space. */
function endOfFirst(text: string): number | undefined {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (inText) {
      if (sign === '\\') at++
      else if (sign === '"') inText = false
      continue
    }
    if (sign === '"') inText = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      depth--
      if (depth <= 0) return at + 1
    } else if (depth === 0 && !OPENING.test(sign) && !WHITE.test(sign)) return endOfWord(text, at)
  }
  return undefined
}

function endOfWord(text: string, start: number): number {
  const rest = text.slice(start).search(WHITE)
  return rest === -1 ? text.length : start + rest
}
