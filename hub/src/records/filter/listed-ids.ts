import { joinsOf, joinsOfTest, type Compare, type Condition, type Join, type LabelTest, type Plan } from './plan.ts'

/**
 * Comparison that only tests whether a relation field contains the id `id`. `column` is that field, a JSON list; `join` is the list's join,
 * `parent` the join to the field's record.
 */
export type ListedId = { readonly join: number; readonly parent: number; readonly column: string; readonly id: string }

export type ListedIds = ReadonlyMap<Compare, ListedId>

/** Regular expression that matches ids whose JSON text has no escapes, so that a text search finds them. */
const PLAIN_ID = /^[A-Za-z0-9]+$/

/**
 * Returns a map of the comparisons in a filter that only test whether a relation contains one id; its values have column and id. SQL then
 * searches the id in the column's text, without unpacking each list.
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

/** Returns the joins that the condition of a plan uses, without those to lists in which only one id is searched. */
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
