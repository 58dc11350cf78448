import type { Collection, Field } from '../model/collection.ts'
import type { TypedValue } from './comparison.ts'
import type { Comparison } from './parse.ts'

type Relation = Extract<Field, { kind: 'relation' }>

/** Step of a join in a filter: from a record to related records, by a relation field or its ids, or to all records of a collection. */
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
 * Join of a filter: from the results of the join `parent` to records related to them. Parent 0 stands for the filtered record itself; a
 * parent has a smaller id than its children.
 */
export type Join = {
  readonly id: number
  readonly parent: number
  readonly step: JoinStep
  /** True when the join may have several results for one record. */
  readonly many: boolean
  /**
   * True when the join finds only records that the caller may list, because it comes from the caller's own filter, not from an access rule.
   */
  readonly bound: boolean
}

/** One side of a comparison, after its name is resolved to a column, constant or function call. */
export type Term =
  | { readonly kind: 'constant'; readonly typed: TypedValue }
  // Modifier that does not fit its field. Every comparison with it is false.
  | { readonly kind: 'never' }
  // Column of a text or number. `shownBy` names a flag of the record; without the flag the value is null.
  | { readonly kind: 'column'; readonly join: number; readonly column: string; readonly type: 'text' | 'number'; readonly shownBy?: string }
  // Encrypted field. Its value can be read only from the decrypted record, not in SQL.
  | { readonly kind: 'secret'; readonly join: number; readonly column: string; readonly collection: Collection }
  | { readonly kind: 'json'; readonly join: number; readonly column: string; readonly path: readonly string[] }
  // One id of a list, from a join of the kind `each`.
  | { readonly kind: 'element'; readonly join: number }
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
   * List of ids of the joins whose results must all satisfy the comparison. Empty when one result is enough: the comparison has a `?`, or
   * there is at most one.
   */
  readonly every: readonly number[]
}

export type Condition = { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] } | Compare

/** Executable form of a parsed filter: the joins from each record to related records, and the condition with resolved names. */
export type Plan = { readonly collection: Collection; readonly joins: readonly Join[]; readonly condition: Condition }

export const always: Condition = { kind: 'and', parts: [] }

/** Returns the join with this id after the joins that lead to it, outermost first. Empty for the id 0 of the filtered record itself. */
export function chain(joins: readonly Join[], id: number): readonly Join[] {
  const join = joins.find((one) => one.id === id)
  return join === undefined ? [] : [...chain(joins, join.parent), join]
}

export function joinsOfTerm(term: Term): readonly number[] {
  if (term.kind === 'call') return term.values.flatMap(joinsOfTerm)
  return 'join' in term ? [term.join] : []
}

/** Returns the joins that a condition of the filter uses, each after the join that leads to it. */
export function joinsOf(plan: Plan, condition: Condition): readonly Join[] {
  const ids = new Set(termJoins(condition).flatMap((id) => chain(plan.joins, id).map((join) => join.id)))
  return plan.joins.filter(({ id }) => ids.has(id))
}

function termJoins(condition: Condition): readonly number[] {
  if (condition.kind !== 'compare') return condition.parts.flatMap(termJoins)
  return [...joinsOfTerm(condition.left), ...joinsOfTerm(condition.right)]
}
