import type { Collection, Field } from '../model/collection.ts'
import { holds, type TypedValue, type Value } from './comparison.ts'
import { FilterError, type Comparison } from './parse.ts'

type Relation = Extract<Field, { kind: 'relation' }>

/**
 * Relation that a filter's join follows. `each`: ids of a list field; `record`: the record with an id; `back`: records that refer to this
 * one; `all`: all records of a collection.
 */
export type JoinStep =
  // Join to each id of a relation field that contains several ids.
  | { readonly kind: 'each'; readonly field: Relation }
  // Join to the record that a single relation, or one id of a list, refers to.
  | { readonly kind: 'record'; readonly collection: Collection; readonly from: Relation | 'element' }
  // Join to the records whose relation field refers to the start record.
  | { readonly kind: 'back'; readonly collection: Collection; readonly field: Relation }
  // Join to all records of a collection, whether related or not (`@collection.…`).
  | { readonly kind: 'all'; readonly collection: Collection }

/**
 * Join of a filter, as in SQL: it leads from the result of the join `parent` (0: the filtered record) to related records, by `step`.
 * Parents have smaller ids than their children.
 */
export type Join = {
  readonly id: number
  readonly parent: number
  readonly step: JoinStep
  /**
   * In a filter's join: true when one filtered record may have several results of it. The join, or one of its parents, then leads through a
   * list of ids or to referring records.
   */
  readonly many: boolean
  /**
   * In a filter's join: true if it finds only records that the requesting user may list, as in a client's filter. False in access rules,
   * where it finds all records.
   */
  readonly bound: boolean
}

/**
 * One side of a comparison in a filter, with resolved names. `kind` says which: `constant`, a `column` of a join's record, `json`,
 * `secret`, a function `call` and others.
 */
export type Term =
  // `list` has the texts of a constant that is a list, such as `@request.auth.viewTags`.
  | { readonly kind: 'constant'; readonly typed: TypedValue; readonly list?: readonly string[] }
  // Modifier that does not fit its field. Every comparison with it is false.
  | { readonly kind: 'never' }
  // Column of a text or number. `shownBy` names a flag of the record; without the flag the value is null.
  | { readonly kind: 'column'; readonly join: number; readonly column: string; readonly type: 'text' | 'number'; readonly shownBy?: string }
  // Encrypted field. Its value can be read only from the decrypted record, not in SQL.
  | { readonly kind: 'secret'; readonly join: number; readonly column: string; readonly collection: Collection }
  | { readonly kind: 'json'; readonly join: number; readonly column: string; readonly path: readonly string[] }
  // One id of a list, from a join of the kind `each`.
  | { readonly kind: 'element'; readonly join: number }
  // List of tags. It is compared only with constants, as a {@link LabelTest}.
  | { readonly kind: 'labels'; readonly join: number; readonly column: string }
  // Number of ids in a relation field (modifier `:length`).
  | { readonly kind: 'count'; readonly join: number; readonly column: string; readonly list: boolean }
  // Value in lower case (modifier `:lower`). `isNumber` is true for a number column, which is converted to text.
  | { readonly kind: 'lower'; readonly join: number; readonly column: string; readonly shownBy?: string; readonly isNumber?: true }
  // Function call, evaluated for each loaded record.
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Term[]; readonly nowMs: number }

export type Compare = {
  readonly kind: 'compare'
  readonly left: Term
  readonly comparison: Comparison
  readonly right: Term
  /**
   * Ids of those joins of a comparison for which all related records must satisfy it, as for `=` on a list. Empty when one is enough: with
   * `?` operators such as `?=`, or if there is at most one.
   */
  readonly every: readonly number[]
}

/**
 * Test of a list of tags in a filter: whether the list has one of `tags`, or a tag that contains the text `part`. `wanted` is false for
 * operators with `!`. A missing record has no tags.
 */
export type LabelTest = {
  readonly kind: 'labels'
  readonly join: number
  readonly column: string
  readonly searched: { readonly tags: ReadonlySet<string> } | { readonly part: TypedValue }
  readonly wanted: boolean
  /**
   * Ids of those joins of a tag test for which all related records must pass it, as without the `?` operators. Empty when one is enough.
   */
  readonly every: readonly number[]
}

export type Condition = { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] } | Compare | LabelTest

/**
 * Resolved form of a parsed filter, from which SQL or a test function is made: the collection, the joins to related records, and the
 * condition.
 */
export type Plan = { readonly collection: Collection; readonly joins: readonly Join[]; readonly condition: Condition }

export const always: Condition = { kind: 'and', parts: [] }

/**
 * Returns the list of joins that lead from the filtered record to the join with this id, that join last. Empty for id 0, the filtered
 * record itself.
 */
export function chain(joins: readonly Join[], id: number): readonly Join[] {
  const join = joins.find((one) => one.id === id)
  return join === undefined ? [] : [...chain(joins, join.parent), join]
}

export function joinsOfTerm(term: Term): readonly number[] {
  if (term.kind === 'call') return term.values.flatMap(joinsOfTerm)
  return 'join' in term ? [term.join] : []
}

/** Returns those joins of a filter's plan that a part of its condition uses, with their parents. Parents come before their children. */
export function joinsOf(plan: Plan, condition: Condition): readonly Join[] {
  const ids = new Set(termJoins(condition).flatMap((id) => chain(plan.joins, id).map((join) => join.id)))
  return plan.joins.filter(({ id }) => ids.has(id))
}

function termJoins(condition: Condition): readonly number[] {
  return 'parts' in condition ? condition.parts.flatMap(termJoins) : joinsOfTest(condition)
}

/** Returns the ids of the joins that the two sides of a comparison, or a tag test, refer to. Parents of these joins are not included. */
export function joinsOfTest(test: Compare | LabelTest): readonly number[] {
  return test.kind === 'labels' ? [test.join] : [...joinsOfTerm(test.left), ...joinsOfTerm(test.right)]
}

/**
 * Converts a comparison with a field of tags, such as `tags ~ 'web'`, to a tag test. `undefined` if neither side is such a field. Throws
 * {@link FilterError} for operators and values that do not fit.
 */
export function labelTest(left: Term, comparison: Comparison, right: Term): Omit<LabelTest, 'every'> | undefined {
  if (left.kind !== 'labels' && right.kind !== 'labels') return undefined
  const isMirrored = left.kind !== 'labels' && (comparison === '=' || comparison === '!=')
  const [labels, constant] = isMirrored ? [right, left] : [left, right]
  if (labels.kind !== 'labels' || constant.kind !== 'constant')
    throw new FilterError('Cannot read the filter: tags can only be compared with a text')
  const { join, column } = labels
  const test = { kind: 'labels', join, column } as const
  switch (comparison) {
    case '=':
    case '!=':
      return { ...test, searched: { tags: tagsOf(constant) }, wanted: comparison === '=' }
    case '~':
    case '!~':
      return { ...test, searched: { part: { type: 'constant', value: normal(constant.typed.value) } }, wanted: comparison === '~' }
    default:
      throw new FilterError('Cannot read the filter: tags have no order')
  }
}

const normal = (value: Value): Value => (typeof value === 'string' ? value.normalize('NFC') : value)

/**
 * Returns the set of tags among the texts of a constant in a filter. A text with `,` or `"` is no valid tag and is left out; in SQL it
 * would match between two tags.
 */
function tagsOf({ typed: { value }, list }: Extract<Term, { kind: 'constant' }>): ReadonlySet<string> {
  const texts = list ?? (typeof value === 'string' ? [value] : [])
  return new Set(texts.map((text) => text.normalize('NFC')).filter((text) => text !== '' && !/[,"]/.test(text)))
}

const never: Condition = { kind: 'or', parts: [] }

/**
 * Simplifies a filter's condition without a change of its results. Removes comparisons that are always true or always false, such as those
 * of two constants.
 */
export function folded(condition: Condition): Condition {
  if (!('parts' in condition)) {
    const result = fixedResult(condition)
    return result === undefined ? condition : result ? always : never
  }
  const { kind } = condition
  const [neutral, decisive] = kind === 'and' ? [always, never] : [never, always]
  const parts = condition.parts.map(folded).filter((part) => !isSame(part, neutral))
  if (parts.some((part) => isSame(part, decisive))) return decisive
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : { kind, parts }
}

/** Returns the result of a filter's comparison or tag test if it is the same for every record; otherwise `undefined`. */
function fixedResult(test: Compare | LabelTest): boolean | undefined {
  if (test.kind === 'labels') return 'tags' in test.searched && test.searched.tags.size === 0 ? !test.wanted : undefined
  const { left, comparison, right } = test
  if (left.kind === 'never' || right.kind === 'never') return false
  return left.kind === 'constant' && right.kind === 'constant' ? holds(left.typed, comparison, right.typed) : undefined
}

const isSame = (one: Condition, fixed: Condition): boolean => 'parts' in one && one.parts.length === 0 && one.kind === fixed.kind

/**
 * Test in a filter whether a list of ids contains one `id`, such as `users.id ?= 'abc'`. `column` has the list as JSON; `parent` is the
 * join to its record, `join` the one that would unpack it.
 */
export type ListedId = { readonly join: number; readonly parent: number; readonly column: string; readonly id: string }

export type ListedIds = ReadonlyMap<Compare, ListedId>

/** Regular expression for record ids without characters that JSON escapes, so that a text search in JSON finds them. */
const PLAIN_ID = /^[A-Za-z0-9]+$/

/**
 * Finds the comparisons of a filter that only test whether a list of ids contains one id. Returns a map from comparison to column and id.
 * For these, SQL searches the column's text instead of unpacking the list.
 */
export function listedIds({ joins, condition }: Plan): ListedIds {
  const tests = testsOf(condition)
  const listed = new Map<Compare, ListedId>()
  for (const compare of tests) {
    if (compare.kind !== 'compare') continue
    const { left, right, comparison, every } = compare
    if (comparison !== '=' || every.length > 0 || left.kind !== 'element' || right.kind !== 'constant') continue
    const { value } = right.typed
    const join = joins.find(({ id }) => id === left.join)
    if (typeof value !== 'string' || !PLAIN_ID.test(value) || join?.step.kind !== 'each') continue
    const others = tests.filter((one) => one !== compare && joinsOfTest(one).some((id) => hangsOn(joins, id, join.id)))
    if (others.length === 0) listed.set(compare, { join: join.id, parent: join.parent, column: join.step.field.name, id: value })
  }
  return listed
}

/**
 * Returns the joins of a filter that SQL needs. Joins to list elements, for which the list's text is searched instead (`listed`), are left
 * out.
 */
export function joinsBeside(plan: Plan, listed: ListedIds): readonly Join[] {
  const searched = new Set([...listed.values()].map(({ join }) => join))
  return joinsOf(plan, plan.condition).filter(({ id }) => !searched.has(id))
}

function testsOf(condition: Condition): readonly (Compare | LabelTest)[] {
  return 'parts' in condition ? condition.parts.flatMap(testsOf) : [condition]
}

function hangsOn(joins: readonly Join[], id: number, wanted: number): boolean {
  const join = joins.find((one) => one.id === id)
  return join !== undefined && (join.id === wanted || hangsOn(joins, join.parent, wanted))
}
