import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Maximum nesting depth of JSON from clients: 200; JSON that nests deeper is rejected. It could overflow a parser's stack, and real values
 * nest less.
 */
const DEPTH = 200

/**
 * Parses JSON text from a client and replaces lone surrogates with U+FFFD. Throws a SyntaxError for invalid JSON and for JSON that nests
 * deeper than 200.
 */
export function parseSentJson(text: string): Json {
  if (nestsTooDeep(text)) throw new SyntaxError(`Cannot read the JSON: it nests deeper than ${DEPTH}`)
  return withoutLoneSurrogates(text) ? parseJson(text) : wellFormed(parseJson(text))
}

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (quoted && character === '\\') at += 1
    else if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth > DEPTH) return true
    } else if (character === ']' || character === '}') depth -= 1
  }
  return false
}

/**
 * Returns true when a JSON text has no escaped surrogate such as `\ud800`, so that the texts in it need no repair. Unescaped ones cannot
 * occur in text decoded from UTF-8.
 */
const withoutLoneSurrogates = (text: string): boolean => !/\\u[dD][89a-fA-F]/.test(text)

/** Returns a copy of a JSON value in which lone surrogates in all texts and names are replaced with U+FFFD. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]))
}

/** Returns true when any text or name in a JSON value contains U+0000, which PostgreSQL cannot store in a text. */
export function holdsNul(value: Json): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  return isJsonObject(value) && Object.entries(value).some(([name, inner]) => name.includes('\0') || holdsNul(inner))
}

/** Parses JSON like `JSON.parse`, with the type `Json` instead of `any`. Throws a SyntaxError for invalid JSON. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text)
  return value
}
