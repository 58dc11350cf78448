import { ownValue } from '@vedette/protocol/own-value'

/**
 * One side of a comparison in a parsed filter: a literal value, a function call, or a `name`. Names of fields, request values and macros
 * are not resolved yet.
 */
export type Operand =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Operand[] }

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'compare'; readonly left: Operand; readonly comparison: Comparison; readonly any: boolean; readonly right: Operand }

/**
 * Maximum nesting depth of parentheses in a filter: 64. A deeper filter is rejected with `FilterError`; much deeper ones would overflow the
 * stack.
 */
const DEPTH = 64

/**
 * Parses a filter expression to a tree of comparisons. `&&` binds tighter than `||`. Throws {@link FilterError} for a syntax error and for
 * an empty filter.
 */
export function parseFilter(source: string): Filter {
  const tokens = lex(source)
  const { filter, next } = parseEither(tokens, 0, 0)
  if (next < tokens.length) throw new FilterError('Cannot read the filter: something follows its end', undefined, tokens[next]?.at)
  return filter
}

/**
 * Returns the names of fields, request values and macros in a parsed filter, such as `system.name`, in text order and with repetitions.
 * Names in function arguments count; names of functions do not.
 */
export function namesIn(filter: Filter): readonly string[] {
  const ofOperand = (one: Operand): readonly string[] =>
    one.kind === 'name' ? [one.text] : one.kind === 'call' ? one.values.flatMap(ofOperand) : []
  return filter.kind === 'compare' ? [filter.left, filter.right].flatMap(ofOperand) : filter.parts.flatMap(namesIn)
}

type Parsed = { readonly filter: Filter; readonly next: number }

function parseEither(tokens: readonly Token[], start: number, depth: number): Parsed {
  return parseJoined(tokens, start, { join: '||', kind: 'or', part: (next) => parseBoth(tokens, next, depth) })
}

function parseBoth(tokens: readonly Token[], start: number, depth: number): Parsed {
  return parseJoined(tokens, start, { join: '&&', kind: 'and', part: (next) => parseOne(tokens, next, depth) })
}

type Level = { readonly join: '&&' | '||'; readonly kind: 'and' | 'or'; readonly part: (start: number) => Parsed }

function parseJoined(tokens: readonly Token[], start: number, { join, kind, part }: Level): Parsed {
  const first = part(start)
  const parts = [first.filter]
  let next = first.next
  for (let token = tokens[next]; token?.kind === 'join' && token.join === join; token = tokens[next]) {
    const another = part(next + 1)
    parts.push(another.filter)
    next = another.next
  }
  return { filter: parts.length === 1 ? first.filter : { kind, parts }, next }
}

function parseOne(tokens: readonly Token[], start: number, depth: number): Parsed {
  const token = tokens[start]
  if (token?.kind !== 'open') return parseComparison(tokens, start)
  if (depth >= DEPTH) throw new FilterError(`Cannot read the filter: parentheses nest deeper than ${DEPTH}`, token.at)
  const inner = parseEither(tokens, start + 1, depth + 1)
  if (tokens[inner.next]?.kind !== 'close')
    throw new FilterError('Cannot read the filter: a parenthesis is not closed', undefined, token.at)
  return { filter: inner.filter, next: inner.next + 1 }
}

function parseComparison(tokens: readonly Token[], start: number): Parsed {
  const left = parseOperand(tokens, start, 0)
  const token = left === undefined ? undefined : tokens[left.next]
  const right = left === undefined ? undefined : parseOperand(tokens, left.next + 1, 0)
  if (left === undefined || right === undefined || token?.kind !== 'compare') {
    throw new FilterError('Cannot read the filter: expected a comparison of two operands', undefined, (token ?? tokens[start])?.at)
  }
  const filter = { kind: 'compare', left: left.operand, comparison: token.comparison, any: token.any, right: right.operand } as const
  return { filter, next: right.next }
}

type ParsedOperand = { readonly operand: Operand; readonly next: number }

/** Maximum nesting depth of function calls in a filter expression: 3. A deeper filter is rejected with `FilterError`. */
const CALL_DEPTH = 3

function parseOperand(tokens: readonly Token[], start: number, depth: number): ParsedOperand | undefined {
  const token = tokens[start]
  if (token?.kind === 'name' && tokens[start + 1]?.kind === 'open') return parseCall(tokens, start, token.text, depth)
  const operand = asOperand(token)
  return operand === undefined ? undefined : { operand, next: start + 1 }
}

function parseCall(tokens: readonly Token[], start: number, name: string, depth: number): ParsedOperand {
  const begin = tokens[start]?.at
  if (depth >= CALL_DEPTH) throw new FilterError(`Cannot read the filter: functions nest deeper than ${CALL_DEPTH}`, begin)
  const values: Operand[] = []
  let next = start + 2
  while (tokens[next]?.kind !== 'close') {
    const value = parseOperand(tokens, next, depth + 1)
    const after = value === undefined ? undefined : tokens[value.next]
    if (value === undefined || (after?.kind !== 'comma' && after?.kind !== 'close'))
      throw new FilterError(`Cannot read the filter: the values of "${name}" do not end`, undefined, begin)
    values.push(value.operand)
    next = after.kind === 'comma' ? value.next + 1 : value.next
  }
  return { operand: { kind: 'call', name, values }, next: next + 1 }
}

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

function asOperand(token: Token | undefined): Operand | undefined {
  if (token?.kind === 'number' || token?.kind === 'text') return { kind: 'value', value: token.value }
  if (token?.kind !== 'name') return undefined
  const word = ownValue(words, token.text.toLowerCase())
  return word === undefined ? { kind: 'name', text: token.text } : { kind: 'value', value: word }
}

/**
 * Checks the size of a filter expression. Throws {@link FilterError} if it has more bytes than `most.bytes` or more comparisons than
 * `most.comparisons`.
 */
export function refuseTooMuch(source: string, most: { readonly bytes: number; readonly comparisons: number }): void {
  if (Buffer.byteLength(source) > most.bytes) {
    const position = Buffer.from(source).subarray(0, most.bytes).toString('utf8').length
    throw new FilterError(`Cannot read the filter: it is longer than ${most.bytes} bytes`, position)
  }
  const compared = lex(source).filter(({ kind }) => kind === 'compare')
  const first = compared[most.comparisons]
  if (first !== undefined) throw new FilterError(`Cannot read the filter: it makes more than ${most.comparisons} comparisons`, first.at)
}

/** Thrown for a filter expression with a syntax error or an unknown name, or one that is too large or too costly. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /**
   * Position in the filter expression, in characters from 0, at which it exceeds a maximum: of its size, of comparisons, or of nesting.
   * `undefined` for all other errors.
   */
  readonly position: number | undefined
  /** Position of the error in the filter expression, in characters from 0. `undefined` when unknown. */
  readonly at: number | undefined
  constructor(message: string, position?: number, at = position) {
    super(message)
    this.position = position
    this.at = at
  }
}

export const comparisons = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const
export type Comparison = (typeof comparisons)[number]

/** Token of a filter expression. `at` is its start: number of characters from 0. */
export type Token = Word & { readonly at: number }

type Word =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  // Comparison operator. `any` is true with a `?` in front (`?=`): one of several values is enough.
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly any: boolean }
  | { readonly kind: 'join'; readonly join: '&&' | '||' }
  | { readonly kind: 'open' }
  | { readonly kind: 'comma' }
  | { readonly kind: 'close' }

const patterns = {
  space: /(?:[ \t\r\n]+|\/\/[^\n]*)+/y,
  name: /[A-Za-z_@#][\w.:]*/y,
  number: /-?\d+(?:\.\d+)?/y,
  compare: /\?{0,1}(?:!=|>=|<=|!~|=|>|<|~)/y,
  text: /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/y,
} as const

/**
 * Splits a filter expression into tokens, without comments, which run from `//` to the end of the line. Throws {@link FilterError} for an
 * invalid character.
 */
export function lex(source: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    // `exec` on a sticky pattern changes its `lastIndex`, so it is set before every use.
    pattern.lastIndex = at
    const [found] = pattern.exec(source) ?? []
    if (found !== undefined) at += found.length
    return found
  }
  while (at < source.length) {
    if (take(patterns.space) !== undefined) continue
    const start = at
    tokens.push({ ...nextToken(source, at, take, () => (at += 1)), at: start })
    if (at < source.length) refuseGlued(tokens.at(-1), source.charAt(at), at)
  }
  return tokens
}

function nextToken(source: string, at: number, take: (pattern: RegExp) => string | undefined, step: () => void): Word {
  const two = source.slice(at, at + 2)
  if (two === '&&' || two === '||') {
    step()
    step()
    return { kind: 'join', join: two }
  }
  if (source[at] === '(' || source[at] === ')') {
    step()
    return { kind: source[at] === '(' ? 'open' : 'close' }
  }
  if (source[at] === ',') {
    step()
    return { kind: 'comma' }
  }
  const name = take(patterns.name)
  if (name !== undefined) return nameToken(name)
  const number = take(patterns.number)
  if (number !== undefined) return { kind: 'number', value: Number(number) }
  const text = take(patterns.text)
  if (text !== undefined) return { kind: 'text', value: unescape(text) }
  const compare = take(patterns.compare)
  const comparison = comparisons.find((one) => one === compare?.replace('?', ''))
  if (compare !== undefined && comparison !== undefined) return { kind: 'compare', comparison, any: compare.startsWith('?') }
  throw new FilterError(`Cannot read the filter at ${at}: unexpected "${source.charAt(at)}"`, undefined, at)
}

function nameToken(text: string): Word {
  if (text.endsWith('.') || text.endsWith(':')) throw new FilterError(`Cannot read the filter: "${text}" is not a complete name`)
  return { kind: 'name', text }
}

/**
 * Checks the character directly after a token of a filter. Throws {@link FilterError} if a number or comparison continues: for `1.2.3`,
 * `5.`, `1e3`, `==` and `?~?`.
 */
function refuseGlued(token: Token | undefined, next: string, at: number): void {
  if (token?.kind === 'number' && /[\w.]/.test(next))
    throw new FilterError(`Cannot read the filter: "${next}" after a number`, undefined, at)
  if (token?.kind === 'compare' && /[=!<>~?]/.test(next))
    throw new FilterError(`Cannot read the filter: "${next}" after a comparison`, undefined, at)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Returns the text of a quoted literal in a filter with its escapes resolved: both quotes, a backslash, and the short escapes of JSON. Any
 * other backslash is kept.
 */
function unescape(quoted: string): string {
  const text = quoted.slice(1, -1).replaceAll(/\\([^])/g, (whole: string, char: string) => {
    if (char === '\\' || char === '"' || char === "'") return char
    return ownValue(escapes, char) ?? whole
  })
  // Replaces lone surrogates with U+FFFD, as in stored texts.
  return text.toWellFormed()
}
