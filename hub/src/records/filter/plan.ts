import type { Collection, Field } from '../model/collection.ts'
import type { Typed } from './comparison.ts'
import type { Comparison } from './parse.ts'

type Relation = Extract<Field, { kind: 'relation' }>

/** How one gets from a record to the ones beside it. */
export type Step =
  /** Every id in a list of them. */
  | { readonly kind: 'each'; readonly field: Relation }
  /** The record that a single relation, or an element of a list, names. */
  | { readonly kind: 'record'; readonly collection: Collection; readonly from: Relation | 'element' }
  /** The records whose relation names this one. */
  | { readonly kind: 'back'; readonly collection: Collection; readonly field: Relation }
  /** All records of a collection, related or not. */
  | { readonly kind: 'all'; readonly collection: Collection }

/** Something beside the record. `id` 0 is the record itself; a parent has a smaller id than its children. */
export type Join = {
  readonly id: number
  readonly parent: number
  readonly step: Step
  /** There may be more than one of it for one record. */
  readonly many: boolean
  /** Only records that the one who asks may list are found here: a client's own filter sees no others. */
  readonly bound: boolean
}

/** One side of a comparison, found. */
export type Term =
  | { readonly kind: 'constant'; readonly typed: Typed }
  /** A modifier where it makes no sense: every comparison with it fails. */
  | { readonly kind: 'never' }
  /** `shownBy` is a flag of the record without which there is nothing to see. */
  | { readonly kind: 'column'; readonly join: number; readonly column: string; readonly type: 'text' | 'number'; readonly shownBy?: string }
  /** Encrypted: only its record knows it. */
  | { readonly kind: 'secret'; readonly join: number; readonly column: string; readonly collection: Collection }
  | { readonly kind: 'json'; readonly join: number; readonly column: string; readonly path: readonly string[] }
  /** An id of an `each` join. */
  | { readonly kind: 'element'; readonly join: number }
  /** How many ids a field holds. */
  | { readonly kind: 'count'; readonly join: number; readonly column: string; readonly list: boolean }
  /** `isNumber`: the column's number is written as text. */
  | { readonly kind: 'lower'; readonly join: number; readonly column: string; readonly shownBy?: string; readonly isNumber?: true }
  /** A function of other terms, worked out record by record. */
  | { readonly kind: 'call'; readonly name: string; readonly values: readonly Term[]; readonly nowMs: number }

export type Compare = {
  readonly kind: 'compare'
  readonly left: Term
  readonly comparison: Comparison
  readonly right: Term
  /** Joins whose every row must satisfy the comparison, not one alone: without `?` on something there may be many of. */
  readonly every: readonly number[]
}

export type Condition = { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] } | Compare

/** A filter whose names are found: what to look at beside each record, and what must be true of it. */
export type Plan = { readonly collection: Collection; readonly joins: readonly Join[]; readonly condition: Condition }

export const always: Condition = { kind: 'and', parts: [] }

/** The join and what it hangs on, outermost first. */
export function chain(joins: readonly Join[], id: number): readonly Join[] {
  const join = joins.find((one) => one.id === id)
  return join === undefined ? [] : [...chain(joins, join.parent), join]
}

export function joinsOfTerm(term: Term): readonly number[] {
  if (term.kind === 'call') return term.values.flatMap(joinsOfTerm)
  return 'join' in term ? [term.join] : []
}

/** The joins a condition looks at, each after what it hangs on. */
export function joinsOf(plan: Plan, condition: Condition): readonly Join[] {
  const ids = new Set(termJoins(condition).flatMap((id) => chain(plan.joins, id).map((join) => join.id)))
  return plan.joins.filter(({ id }) => ids.has(id))
}

function termJoins(condition: Condition): readonly number[] {
  if (condition.kind !== 'compare') return condition.parts.flatMap(termJoins)
  return [...joinsOfTerm(condition.left), ...joinsOfTerm(condition.right)]
}
