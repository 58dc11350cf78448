import { ownValue } from '@vedette/protocol/own-value'
import { FilterError, lex, type Comparison, type Token } from './lex.ts'

/** What stands beside a comparison: a value, or a name that is looked up later. */
export type Operand =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Operand[] }

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'compare'; readonly left: Operand; readonly comparison: Comparison; readonly any: boolean; readonly right: Operand }

/** As deep as parentheses may nest: far more than anybody writes, far less than the stack. */
const DEPTH = 64

/** The tree of a filter. `&&` binds tighter than `||`. Throws {@link FilterError}, also for a filter that says nothing. */
export function parseFilter(source: string): Filter {
  const tokens = lex(source)
  const { filter, next } = parseEither(tokens, 0, 0)
  if (next < tokens.length) throw new FilterError('Cannot read the filter: something follows its end', undefined, tokens[next]?.at)
  return filter
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

/** Functions of functions of functions are as deep as anybody may go. */
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

/** Throws {@link FilterError} when a filter is longer than so many bytes or makes more than so many comparisons. */
export function refuseTooMuch(source: string, most: { readonly bytes: number; readonly comparisons: number }): void {
  if (Buffer.byteLength(source) > most.bytes) {
    const position = Buffer.from(source).subarray(0, most.bytes).toString('utf8').length
    throw new FilterError(`Cannot read the filter: it is longer than ${most.bytes} bytes`, position)
  }
  const compared = lex(source).filter(({ kind }) => kind === 'compare')
  const first = compared[most.comparisons]
  if (first !== undefined) throw new FilterError(`Cannot read the filter: it makes more than ${most.comparisons} comparisons`, first.at)
}
