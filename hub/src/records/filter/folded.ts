import { holds } from './comparison.ts'
import { always, type Compare, type Condition, type LabelTest } from './plan.ts'

const never: Condition = { kind: 'or', parts: [] }

/**
 * Returns a condition with the same results for all records, without the comparisons that have the same result for every record: those of
 * two constants, and tests for one of no tags.
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

/** Returns the result of a test if it is the same for every record; otherwise `undefined`. */
function fixedResult(test: Compare | LabelTest): boolean | undefined {
  if (test.kind === 'labels') return 'tags' in test.searched && test.searched.tags.size === 0 ? !test.wanted : undefined
  const { left, comparison, right } = test
  if (left.kind === 'never' || right.kind === 'never') return false
  return left.kind === 'constant' && right.kind === 'constant' ? holds(left.typed, comparison, right.typed) : undefined
}

const isSame = (one: Condition, fixed: Condition): boolean => 'parts' in one && one.parts.length === 0 && one.kind === fixed.kind
