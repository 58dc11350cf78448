import type { Json } from '@vedette/protocol/wire/stats-json'
import { isAdmin, type Actor } from '../model/stored-record.ts'
import type { Collection, Field } from '../model/collection.ts'
import { castValue } from '../model/field-value.ts'
import { idsIn } from '../filter/matches.ts'
import { emptyValue } from '../model/record-row.ts'

/** The fields of a request body. */
export type Body = { readonly [field: string]: Json }

/**
 * The values of the collection's fields in a body, cast. `name+` appends or adds, `+name` prepends, `name-` removes or subtracts; shorter
 * keys apply first. Unknown names, dates that the hub sets, passwords, and for non-admins hidden fields are left out.
 */
export function sentValues(collection: Collection, body: Body, before: Body, actor: Actor): Body {
  const values: { [field: string]: Json } = {}
  for (const [key, input] of Object.entries(body).toSorted(([a], [b]) => a.length - b.length)) {
    const { front, name, back } = parseKey(key)
    const field = collection.fields.find((one) => one.name === name)
    if (field === undefined || !isOpen(field, actor)) continue
    const current = values[field.name] ?? before[field.name] ?? emptyValue(field)
    values[field.name] = front || back !== '' ? changedBy(field, current, { input, front, back }) : castValue(field, input)
  }
  return values
}

function parseKey(key: string): { front: boolean; name: string; back: string } {
  const [, front = '', name = '', back = ''] = /^(\+?)(\w+)([+-]?)$/.exec(key) ?? []
  return { front: front !== '', name, back }
}

function isOpen(field: Field, actor: Actor): boolean {
  if (field.kind === 'created' || field.kind === 'updated' || field.kind === 'password') return false
  return field.hidden !== true || isAdmin(actor)
}

function changedBy(field: Field, current: Json, { input, front, back }: { input: Json; front: boolean; back: string }): Json {
  const value = castValue(field, input)
  if (field.kind === 'number') return Number(current) + (back === '-' ? -1 : 1) * Number(value)
  if (field.kind !== 'relation') return current
  const given = idsIn(value)
  const had = idsIn(current)
  const next = back === '-' ? had.filter((id) => !given.includes(id)) : front ? [...given, ...had] : [...had, ...given]
  return field.many === true ? [...new Set(next)] : (next.at(-1) ?? '')
}
