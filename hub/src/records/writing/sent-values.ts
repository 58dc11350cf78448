import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type Actor } from '../model/stored-record.ts'
import { castValue } from '../model/field-value.ts'
import { idsIn } from '../filter/matches.ts'
import { type Collection, emptyValue, type Field } from '../model/collection.ts'

/** Fields of a request body: a map from name to JSON value. */
export type Body = { readonly [field: string]: Json }

/**
 * Change of one field by one key of a request body. `suffix` `''` replaces the value, `+` adds to a number or appends to a list
 * (`isAtFront`: prepends), and `-` subtracts or removes.
 */
type Assignment = { readonly key: string; readonly field: Field; readonly isAtFront: boolean; readonly suffix: '' | '+' | '-' }

/**
 * Returns the field values of a request body, converted to their stored types, with `name+`, `+name` and `name-` applied to the values in
 * `before`. Unknown names, automatic dates, passwords, derived fields, and (except for admins) hidden fields are left out.
 */
export function sentValues(collection: Collection, body: Body, before: Body, actor: Actor): Body {
  const values: { [field: string]: Json } = {}
  for (const { key, field, isAtFront, suffix } of assignmentsIn(body, collection, actor)) {
    const input = ownValue(body, key) ?? null
    const current = values[field.name] ?? before[field.name] ?? emptyValue(field)
    const isChange = isAtFront || suffix !== ''
    values[field.name] = isChange ? changedBy(field, current, { input, isAtFront, suffix }) : castValue(field, input)
  }
  return values
}

/**
 * Returns the list of changes to fields that the keys of a request body mean: `name` sets, `name+` adds, `name-` removes. Shorter keys come
 * first, so that setting precedes adding. Unknown keys are skipped.
 */
function assignmentsIn(body: Body, { fields }: Collection, actor: Actor): readonly Assignment[] {
  const known = new Map(fields.filter((field) => isOpen(field, actor)).flatMap(assignmentsOf))
  const found: Assignment[] = []
  for (const key of Object.keys(body)) {
    const assignment = known.get(key)
    if (assignment !== undefined) found.push(assignment)
  }
  return found.toSorted((a, b) => a.key.length - b.key.length)
}

const assignmentsOf = (field: Field): readonly (readonly [key: string, assignment: Assignment])[] =>
  (['', '+'] as const).flatMap((prefix) =>
    (['', '+', '-'] as const).map((suffix) => {
      const key = `${prefix}${field.name}${suffix}`
      return [key, { key, field, isAtFront: prefix !== '', suffix }] as const
    }),
  )

function isOpen(field: Field, actor: Actor): boolean {
  if (field.derived === true || field.kind === 'created' || field.kind === 'updated' || field.kind === 'password') return false
  return field.hidden !== true || isAdmin(actor)
}

type Change = Pick<Assignment, 'isAtFront' | 'suffix'> & { readonly input: Json }

function changedBy(field: Field, current: Json, { input, isAtFront, suffix }: Change): Json {
  const value = castValue(field, input)
  if (field.kind === 'number') return Number(current) + (suffix === '-' ? -1 : 1) * Number(value)
  if (field.kind !== 'relation' && field.kind !== 'labels') return current
  const given = idsIn(value)
  const had = idsIn(current)
  const next = suffix === '-' ? had.filter((id) => !given.includes(id)) : isAtFront ? [...given, ...had] : [...had, ...given]
  if (field.kind === 'labels') return [...new Set(next)].toSorted()
  return field.many === true ? [...new Set(next)] : (next.at(-1) ?? '')
}
