/**
 * Parsed D-Bus type: a basic type such as `s`, or an array, structure, dictionary or variant with its element types (D-Bus Specification,
 * "Type System").
 */
export type DbusType =
  | { readonly kind: 'basic'; readonly code: BasicCode }
  | { readonly kind: 'variant' }
  | { readonly kind: 'array'; readonly of: DbusType }
  | { readonly kind: 'struct'; readonly fields: readonly DbusType[] }
  // Entry of a dictionary, which occurs only as the element type of an array.
  | { readonly kind: 'entry'; readonly key: BasicCode; readonly value: DbusType }

export type BasicCode = 'y' | 'b' | 'n' | 'q' | 'i' | 'u' | 'x' | 't' | 'd' | 's' | 'o' | 'g' | 'h'

const BASIC = 'ybnqiuxtdsogh'
const isBasic = (code: string | undefined): code is BasicCode => code !== undefined && code.length === 1 && BASIC.includes(code)

const MAX_SIGNATURE_LENGTH = 255
/** Maximum nesting depth of a D-Bus signature: 32 arrays in 32 structures. A deeper one is invalid. */
const MAX_DEPTH = 64

/** Parses a D-Bus signature into the list of its types, in their order. `undefined` when it is invalid. */
export function parseSignature(text: string): readonly DbusType[] | undefined {
  if (text.length > MAX_SIGNATURE_LENGTH) return undefined
  const types: DbusType[] = []
  for (let at = 0; at < text.length;) {
    const parsed = parseType(text, at, 0)
    if (parsed === undefined) return undefined
    types.push(parsed.type)
    at = parsed.end
  }
  return types
}

type Parsed = { readonly type: DbusType; readonly end: number }

function parseType(text: string, at: number, depth: number): Parsed | undefined {
  const code = text[at]
  if (depth > MAX_DEPTH) return undefined
  if (isBasic(code)) return { type: { kind: 'basic', code }, end: at + 1 }
  if (code === 'v') return { type: { kind: 'variant' }, end: at + 1 }
  if (code === '(') return parseStruct(text, at + 1, depth + 1)
  if (code !== 'a') return undefined
  const held = text[at + 1] === '{' ? parseEntry(text, at + 2, depth + 1) : parseType(text, at + 1, depth + 1)
  return held && { type: { kind: 'array', of: held.type }, end: held.end }
}

function parseStruct(text: string, start: number, depth: number): Parsed | undefined {
  const fields: DbusType[] = []
  let at = start
  while (at < text.length && text[at] !== ')') {
    const parsed = parseType(text, at, depth)
    if (parsed === undefined) return undefined
    fields.push(parsed.type)
    at = parsed.end
  }
  return text[at] === ')' && fields.length > 0 ? { type: { kind: 'struct', fields }, end: at + 1 } : undefined
}

function parseEntry(text: string, at: number, depth: number): Parsed | undefined {
  const key = text[at]
  const value = isBasic(key) ? parseType(text, at + 1, depth) : undefined
  if (!isBasic(key) || value === undefined || text[value.end] !== '}') return undefined
  return { type: { kind: 'entry', key, value: value.type }, end: value.end + 1 }
}

const basicAlignment: Readonly<Record<BasicCode, 1 | 2 | 4 | 8>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
  s: 4,
  o: 4,
  g: 1,
  h: 4,
}

/** Returns the alignment of a D-Bus type in bytes: its values start at multiples of it, counted from the start of the message. */
export function alignmentOf(type: DbusType): 1 | 2 | 4 | 8 {
  switch (type.kind) {
    case 'basic':
      return basicAlignment[type.code]
    case 'variant':
      return 1
    case 'array':
      return 4
    case 'struct':
    case 'entry':
      return 8
  }
}
