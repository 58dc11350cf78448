import type { Json, JsonObject } from '@vedette/protocol/wire/stats-json'

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As deep as lists and objects of a client may nest: far more than anybody writes, far less than what reads them can. */
const DEPTH = 200

/** JSON that a client sent. Throws a SyntaxError for what is none, or nests too deep to be kept. */
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

/** Half a character can only come of an escape: what is read as UTF-8 has none. */
const withoutLoneSurrogates = (text: string): boolean => !/\\u[dD][89a-fA-F]/.test(text)

/** Half characters become U+FFFD, as they would on their way into any database. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]))
}

/** Whether a text anywhere in the value, or a name, has U+0000 in it, which no database keeps in a text. */
export function holdsNul(value: Json): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (Array.isArray(value)) return value.some(holdsNul)
  return isJsonObject(value) && Object.entries(value).some(([name, inner]) => name.includes('\0') || holdsNul(inner))
}

/** What `JSON.parse` gave: it returns nothing but JSON, which its type does not say. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text)
  return value
}
