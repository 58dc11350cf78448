import type { Collection, Field } from '../model/collection.ts'
import type { Typed } from './comparison.ts'
import type { Comparison } from './parse.ts'

type Relation = Extract<Field, { kind: 'relation' }>

/** One way from a record to related records. */
export type Step =
  /** Every id of a relation with several ids. */
  | { readonly kind: 'each'; readonly field: Relation }
  /** The record to which a single relation, or one id of a list, refers. */
  | { readonly kind: 'record'; readonly collection: Collection; readonly from: Relation | 'element' }
  /** The records whose relation refers to this one. */
  | { readonly kind: 'back'; readonly collection: Collection; readonly field: Relation }
  /** All records of a collection, related or not. */
  | { readonly kind: 'all'; readonly collection: Collection }

/** A join to related records. `id` 0 is the record itself; a parent has a smaller id than its children. */
export type Join = {
  readonly id: number
  readonly parent: number
  readonly step: Step
  /** The join may have several results for one record. */
  readonly many: boolean
  /** The join finds only records that the caller may list, since a client's own filter must not see others. */
  readonly bound: boolean
}

/** One side of a comparison, after its name is resolved. */
export type Term =
  | { readonly kind: 'constant'; readonly typed: Typed }
  /** A modifier that does not fit its field: every comparison with it fails. */
  | { readonly kind: 'never' }
  /** `shownBy` is a flag of the record; while it is not set the value is null. */
  | { readonly kind: 'column'; readonly join: number; readonly column: string; readonly type: 'text' | 'number'; readonly shownBy?: string }
  /** An encrypted field: only the decrypted record has its value. */
  | { readonly kind: 'secret'; readonly join: number; readonly column: string; readonly collection: Collection }
  | { readonly kind: 'json'; readonly join: number; readonly column: string; readonly path: readonly string[] }
  /** An id of an `each` join. */
  | { readonly kind: 'element'; readonly join: number }
  /** Number of ids in a field. */
  | { readonly kind: 'count'; readonly join: number; readonly column: string; readonly list: boolean }
  /** The value in lower case. `isNumber`: the column is a number, which is written as text. */
  | { readonly kind: 'lower'; readonly join: number; readonly column: string; readonly shownBy?: string; readonly isNumber?: true }
  /** A function call, evaluated record by record. */
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Term[]; readonly nowMs: number }

export type Compare = {
  readonly kind: 'compare'
  readonly left: Term
  readonly comparison: Comparison
  readonly right: Term
  /** Joins whose rows must all satisfy the comparison. Filled when the comparison has no `?` and there may be several rows. */
  readonly every: readonly number[]
}

export type Condition = { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] } | Compare

/** A filter with resolved names: the joins from each record, and the condition. */
export type Plan = { readonly collection: Collection; readonly joins: readonly Join[]; readonly condition: Condition }

export const always: Condition = { kind: 'and', parts: [] }

/** The join and its parents, outermost first. */
export function chain(joins: readonly Join[], id: number): readonly Join[] {
  const join = joins.find((one) => one.id === id)
  return join === undefined ? [] : [...chain(joins, join.parent), join]
}

export function joinsOfTerm(term: Term): readonly number[] {
  if (term.kind === 'call') return term.values.flatMap(joinsOfTerm)
  return 'join' in term ? [term.join] : []
}

/** The joins that a condition uses, each after its parent. */
export function joinsOf(plan: Plan, condition: Condition): readonly Join[] {
  const ids = new Set(termJoins(condition).flatMap((id) => chain(plan.joins, id).map((join) => join.id)))
  return plan.joins.filter(({ id }) => ids.has(id))
}

function termJoins(condition: Condition): readonly number[] {
  if (condition.kind !== 'compare') return condition.parts.flatMap(termJoins)
  return [...joinsOfTerm(condition.left), ...joinsOfTerm(condition.right)]
}
