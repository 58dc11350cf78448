import type { Comparison } from '../filter/parse.ts'
import type { Compare, Condition, Term } from '../filter/plan.ts'
import type { Narrowing } from '../model/record-source.ts'

/** Extracts the conditions that a record source can use; they hold for every record that matches. */
export function narrow(condition: Condition): Narrowing {
  return conjunctions(condition).reduce<Narrowing>((known, { left, comparison, right }) => {
    const value = right.kind === 'constant' ? right.typed.value : undefined
    return typeof value !== 'string' || value === '' ? known : { ...known, ...narrowed(known, fieldOf(left), { comparison, value }) }
  }, {})
}

function narrowed(
  known: Narrowing,
  field: string | undefined,
  { comparison, value }: { comparison: Comparison; value: string },
): Narrowing {
  if (field === 'created' && (comparison === '>' || comparison === '>=')) return { createdFrom: latest(known.createdFrom, value) }
  if (field === 'created' && (comparison === '<' || comparison === '<=')) return { createdTo: earliest(known.createdTo, value) }
  if (comparison !== '=') return {}
  return field === 'system' ? { systems: both(known.systems, value) } : field === 'type' ? { type: value } : {}
}

const mirrored: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '~': '~',
  '!~': '!~',
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
}

/** The comparisons that must all hold, with the field on the left. */
function conjunctions(condition: Condition): readonly Compare[] {
  if (condition.kind !== 'compare') return condition.kind === 'and' ? condition.parts.flatMap(conjunctions) : []
  if (condition.left.kind !== 'constant' || condition.comparison === '~' || condition.comparison === '!~') return [condition]
  return [{ ...condition, left: condition.right, comparison: mirrored[condition.comparison], right: condition.left }]
}

function fieldOf(term: Term): string | undefined {
  return term.kind === 'column' && term.join === 0 ? term.column : undefined
}

function both(known: readonly string[] | undefined, value: string): readonly string[] {
  return known === undefined || known.includes(value) ? [value] : []
}

function latest(known: string | undefined, value: string): string {
  return known === undefined || value > known ? value : known
}

function earliest(known: string | undefined, value: string): string {
  return known === undefined || value < known ? value : known
}
