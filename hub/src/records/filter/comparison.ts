import { FilterError, type Comparison } from './parse.ts'
import { sqliteRealText } from './sqlite-real-text.ts'

/** Value while a filter is evaluated: a text, a number or null. Booleans are 1 and 0; objects and lists are their JSON text. */
export type Value = string | number | null

/**
 * Name of the type of one side of a comparison in a filter. `text` and `number` are column types; the type of `json` differs between
 * records. A `constant` in the filter takes the other side's type.
 */
export type ValueType = 'text' | 'number' | 'json' | 'constant'

export type TypedValue = { readonly type: ValueType; readonly value: Value }

const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/**
 * Converts a constant in a filter for `=` and similar operators by the type `other` of the other side. For `number`, a numeric text such as
 * `'42'` becomes a number. Returns any other constant unchanged.
 */
export function beside(constant: Value, other: ValueType): Value {
  return other === 'number' && typeof constant === 'string' && NUMERIC.test(constant) ? Number(constant) : constant
}

/**
 * Returns true when a comparison of two filter values is satisfied. A result that is null in SQL counts as false. The function `compareSql`
 * returns the equivalent SQL.
 */
export function holds(left: TypedValue, comparison: Comparison, right: TypedValue): boolean {
  switch (comparison) {
    case '=':
      return equal(left, right)
    case '!=':
      return !equal(left, right)
    case '~':
      return alike(left, right) === true
    case '!~':
      return alike(left, right) === false
    default:
      return ordered(left, comparison, right)
  }
}

/**
 * Returns true when two filter values are equal. Empty text equals null, unless one side is a JSON field: there only identical values are
 * equal.
 */
function equal(left: TypedValue, right: TypedValue): boolean {
  if (left.type === 'json' || right.type === 'json') return left.value === right.value
  return comparable(left, right.type) === comparable(right, left.type)
}

function comparable({ type, value }: TypedValue, other: ValueType): string | number {
  return (type === 'constant' ? beside(value, other) : value) ?? ''
}

function ordered(left: TypedValue, comparison: '<' | '<=' | '>' | '>=', right: TypedValue): boolean {
  const one = orderable(left, right.type)
  const other = orderable(right, left.type)
  if (one === null || other === null) return false
  const order = orderOf(one, other)
  switch (comparison) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

/**
 * Converts a constant in a filter for `<` or `>` by the type `other` of the comparison's other side. For `text`, a number becomes the text
 * that SQLite writes (`42.0`). For `number`, a numeric text becomes a number.
 */
export function orderable({ type, value }: TypedValue, other: ValueType): Value {
  if (type !== 'constant') return value
  return other === 'text' && typeof value === 'number' ? sqliteRealText(value) : beside(value, other)
}

/**
 * Compares two filter values for sorting: null first, then numbers, then texts by code points. Returns a negative number, 0 or a positive
 * one, as for `Array.sort`.
 */
export function orderOf(left: Value, right: Value): number {
  const rank = rankOf(left) - rankOf(right)
  if (rank !== 0) return rank
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return Buffer.compare(Buffer.from(String(left ?? '')), Buffer.from(String(right ?? '')))
}

function rankOf(value: Value): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}

function alike(left: TypedValue, right: TypedValue): boolean | undefined {
  if (left.value === null || right.value === null) return undefined
  const text = foldAscii(String(left.value))
  const searched = String(right.value)
  if (right.type === 'constant') return matchesPattern(text, foldAscii(likePattern(searched)))
  if (Array.from(searched).length > LONGEST_PATTERN) return text.includes(foldAscii(searched))
  return matchesPattern(text, `%${foldAscii(searched)}%`)
}

/**
 * Maximum length, in characters (5,000), of a column's value on the right of the operator `~`. Up to it, `%` and `_` in the value are
 * wildcards of a LIKE pattern; a longer value is searched literally.
 */
export const LONGEST_PATTERN = 5000

/**
 * Converts a constant of a `~` comparison to a LIKE pattern with `\` as escape. A text with an unescaped `%` is already a pattern. Any
 * other is escaped where needed and becomes `%text%`.
 */
export function likePattern(text: string): string {
  const own = /^(?:[^\\%]|\\[^])*%/.test(text)
  if (own) return /^(?:[^\\]|\\[^])*\\$/.test(text) ? `${text}\\` : text
  return `%${text.replaceAll(/\\[\\%_]|[\\%_]/g, (found) => (found.length === 2 ? found : `\\${found}`))}%`
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * Returns true when a text matches a LIKE pattern. The search backtracks only to the last `%`, so that the cost is at most the pattern's
 * length times the text's.
 */
function matchesPattern(text: string, pattern: string): boolean {
  const chars = Array.from(text)
  const parts = patternParts(pattern)
  let at = 0
  let part = 0
  let anyPart = -1
  let anyAt = 0
  while (at < chars.length) {
    const wanted = parts[part]
    if (wanted === '%any') {
      anyPart = part
      anyAt = at
      part += 1
    } else if (wanted !== undefined && (wanted === '%one' || wanted === chars[at])) {
      at += 1
      part += 1
    } else if (anyPart >= 0) {
      anyAt += 1
      at = anyAt
      part = anyPart + 1
    } else return false
  }
  return parts.slice(part).every((rest) => rest === '%any')
}

function patternParts(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\\([^])|[^]/gu)].map(
    ([whole, escaped]) => escaped ?? (whole === '%' ? '%any' : whole === '_' ? '%one' : whole),
  )
}

/**
 * Default maximum number of steps (rows and comparisons) to evaluate a filter or sort key for one record: 100,000. Beyond it, the
 * evaluation throws {@link FilterError}.
 */
export const MOST_MATCH_STEPS = 100_000

/**
 * Mutable number of steps left for one evaluation of filters outside the database. Each row and comparison costs a step; a search in a long
 * text costs more. Below 0, the evaluation throws {@link FilterError}.
 */
export type Budget = { steps: number }

/** Subtracts steps from a filter's budget in place. Throws {@link FilterError} when the budget has fewer. */
export function spend(budget: Budget, steps: number): void {
  // Changes the caller's budget on purpose: all evaluations of a query share it.
  budget.steps -= steps
  if (budget.steps < 0) throw new FilterError('Cannot evaluate the filter: it is too much work')
}
