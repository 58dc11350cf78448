import { ownValue } from '@vedette/protocol/own-value'
/** A filter that is not in the language, or names what is not there. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
  /** Of a filter that is too much of a good thing: where in its text it became so, in characters from 0. */
  readonly position: number | undefined
  /** Where it stops being a filter, in characters from 0, where that is known. */
  readonly at: number | undefined
  constructor(message: string, position?: number, at = position) {
    super(message)
    this.position = position
    this.at = at
  }
}

export const comparisons = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'] as const
export type Comparison = (typeof comparisons)[number]

/** `at`: where it begins, in characters from 0. */
export type Token = Word & { readonly at: number }

type Word =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  /** `any` is the `?` in front: at least one of several values. */
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

/** The words of a filter. A comment runs from `//` to the end of the line. */
export function lex(source: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    // Sticky patterns keep their place in themselves; it is set before every use.
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

/** `1.2.3`, `5.` and `1e3` are no numbers, `==` and `?~?` no comparisons. */
function refuseGlued(token: Token | undefined, next: string, at: number): void {
  if (token?.kind === 'number' && /[\w.]/.test(next))
    throw new FilterError(`Cannot read the filter: "${next}" after a number`, undefined, at)
  if (token?.kind === 'compare' && /[=!<>~?]/.test(next))
    throw new FilterError(`Cannot read the filter: "${next}" after a comparison`, undefined, at)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** Both quotes know their own escaped, a doubled backslash and the short escapes of JSON. A backslash before anything else is itself. */
function unescape(quoted: string): string {
  const text = quoted.slice(1, -1).replaceAll(/\\([^])/g, (whole: string, char: string) => {
    if (char === '\\' || char === '"' || char === "'") return char
    return ownValue(escapes, char) ?? whole
  })
  // Half a character is U+FFFD, as where texts are kept.
  return text.toWellFormed()
}
