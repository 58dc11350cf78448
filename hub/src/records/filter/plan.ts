import type { Collection, Field } from '../model/collection.ts'
import type { TypedValue } from './comparison.ts'
import type { Comparison } from './parse.ts'

type Relation = Extract<Field, { kind: 'relation' }>

/**
 * Step of a join in a filter. By `kind`, it leads to each id of a list (`each`), the referred record (`record`), the referring records
 * (`back`), or all records of a collection.
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
 * Join of a filter: from the results of the join `parent` to related records, by `step`. The id 0 as parent means the filtered record
 * itself. Parents have smaller ids than their children.
 */
export type Join = {
  readonly id: number
  readonly parent: number
  readonly step: JoinStep
  /** True when this join can lead from one record to several, such as through a list of ids. */
  readonly many: boolean
  /**
   * True when this join finds only records that the caller may list, as in the caller's own filter. False in access rules, where it finds
   * all.
   */
  readonly bound: boolean
}

/**
 * One side of a comparison with resolved names. `kind` says which: `constant`, a `column` of a join's record, `json`, `secret`, a function
 * `call` and others.
 */
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
   * List of the ids of the comparison's joins, if all their results must satisfy it. Empty when one result is enough: with `?` operators,
   * or if there is at most one result.
   */
  readonly every: readonly number[]
}

export type Condition = { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] } | Compare

/** Executable form of a parsed filter: the joins from each record to related records, and the condition with resolved names. */
export type Plan = { readonly collection: Collection; readonly joins: readonly Join[]; readonly condition: Condition }

export const always: Condition = { kind: 'and', parts: [] }

/**
 * Returns the joins that lead from the filtered record to the join with this id, in order, with that join last. Empty for id 0, the
 * filtered record itself.
 */
export function chain(joins: readonly Join[], id: number): readonly Join[] {
  const join = joins.find((one) => one.id === id)
  return join === undefined ? [] : [...chain(joins, join.parent), join]
}

export function joinsOfTerm(term: Term): readonly number[] {
  if (term.kind === 'call') return term.values.flatMap(joinsOfTerm)
  return 'join' in term ? [term.join] : []
}

/** Returns those joins of a plan that a condition of it uses, directly or as parents. Parents come before their children. */
export function joinsOf(plan: Plan, condition: Condition): readonly Join[] {
  const ids = new Set(termJoins(condition).flatMap((id) => chain(plan.joins, id).map((join) => join.id)))
  return plan.joins.filter(({ id }) => ids.has(id))
}

function termJoins(condition: Condition): readonly number[] {
  if (condition.kind !== 'compare') return condition.parts.flatMap(termJoins)
  return [...joinsOfTerm(condition.left), ...joinsOfTerm(condition.right)]
}
