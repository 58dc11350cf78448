import { ownValue } from '@vedette/protocol/own-value'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { createHash } from 'node:crypto'
import { type Collection, emptyValue, type Field } from '../../../../records/model/collection.ts'
import { checkField, checkId } from '../../../../records/model/field-check.ts'
import { castValue } from '../../../../records/model/field-value.ts'
import { foreignDate, foreignJson, type ForeignRow, foreignText } from './foreign-rows.ts'

/**
 * Imported value converted to a field of this hub. `value` is `undefined` if the field takes its default. `change`: how the value was
 * repaired; `problem`: why it cannot be used.
 */
type FittedValue = { readonly value: Json | undefined; readonly change?: string; readonly problem?: string }

/**
 * Imported row converted to a record: values by field name, and sentences about repaired values (`changes`). `problem`: why a required
 * field cannot be filled.
 */
export type FittedRecord = {
  readonly values: { readonly [field: string]: Json }
  readonly changes: readonly string[]
  readonly problem?: string
}

/**
 * Converts an imported row to a record of a collection in this hub, and repairs values that a field would refuse. Fields named in `decided`
 * get the value given there; relations and passwords are never read from the row.
 */
export function fitRecord({ fields }: Collection, row: ForeignRow, decided: { readonly [field: string]: Json }): FittedRecord {
  const values: { [field: string]: Json } = {}
  const changes: string[] = []
  let problem: string | undefined
  for (const field of fields) {
    if (Object.hasOwn(decided, field.name) || field.kind === 'relation' || field.kind === 'password') continue
    if (!Object.hasOwn(row, field.name) && field.required !== true) continue
    const fitted = fitValue(field, row)
    problem ??= fitted.problem
    if (fitted.change !== undefined) changes.push(fitted.change)
    if (fitted.value !== undefined) values[field.name] = fitted.value
  }
  return { values: { ...values, ...decided }, changes, ...(problem === undefined ? {} : { problem }) }
}

/**
 * Converts the value of an imported row's column, the one with the name of `field`, to that field's type and limits. The result has the
 * value, and a note about a repair or a problem.
 */
function fitValue(field: Field, row: ForeignRow): FittedValue {
  const fitted = fitKind(field, row)
  if (fitted.value === undefined || checkField(field, fitted.value) === undefined) return fitted
  const isBlank = isBlankText(row, field.name)
  if (field.required === true)
    return generatedValue(field) ?? { value: undefined, problem: isBlank ? `it has no "${field.name}"` : `its "${field.name}" is invalid` }
  // Blank fields that are optional always fit.
  return { value: emptyValue(field), change: `"${field.name}" was invalid and is empty now` }
}

const isBlankText = (row: ForeignRow, name: string): boolean => foreignText(row, name).trim() === ''

/**
 * Returns a generated value for a required field of an imported record, such as a token, with a note about it; `undefined` if the field
 * cannot have one.
 */
function generatedValue(field: Field): FittedValue | undefined {
  const generate = field.kind === 'text' || field.kind === 'secret' ? field.generate : undefined
  return generate === undefined ? undefined : { value: generate(), change: `"${field.name}" was missing or invalid and is new` }
}

function fitKind(field: Field, row: ForeignRow): FittedValue {
  const { name } = field
  switch (field.kind) {
    case 'number':
      return fitNumber(field, row)
    case 'date':
    case 'created':
    case 'updated':
      return fitDate(field, row)
    case 'json': {
      const value = foreignJson(row, name)
      return value === undefined ? { value: null, change: `"${name}" was invalid JSON and is empty now` } : { value }
    }
    case 'select':
    case 'flag':
      return { value: castValue(field, ownValue(row, name) ?? null) }
    default:
      return fitText(field, row)
  }
}

function fitDate({ kind, name }: Field, row: ForeignRow): FittedValue {
  const value = foreignDate(row, name)
  if (value !== '') return { value }
  if (kind !== 'date') return { value: undefined, change: `"${name}" was no date and is the time of the import` }
  return isBlankText(row, name) ? { value } : { value, change: `"${name}" was no date and is empty now` }
}

function fitNumber(field: Extract<Field, { kind: 'number' }>, row: ForeignRow): FittedValue {
  const stored = ownValue(row, field.name) ?? null
  const number = typeof stored === 'string' && stored.trim() !== '' ? Number(stored) : stored
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    const change = `"${field.name}" was no number and is empty now`
    return { value: emptyValue(field), ...(stored === null || stored === '' ? {} : { change }) }
  }
  const whole = field.integer === true ? Math.round(number) : number
  const value = Math.min(Math.max(whole, field.min ?? -Number.MAX_VALUE), field.max ?? Number.MAX_VALUE)
  return value === number ? { value } : { value, change: `"${field.name}" was beyond its limits` }
}

const LONGEST_TEXT = 5000

function fitText(field: Field, row: ForeignRow): FittedValue {
  const text = foreignText(row, field.name)
  // Part of a secret or of an address would be another one.
  if (field.kind !== 'text') return { value: text }
  const { maxLength = LONGEST_TEXT } = field
  const characters = Array.from(text)
  if (characters.length <= maxLength) return { value: text }
  return { value: characters.slice(0, maxLength).join(''), change: `"${field.name}" was cut to ${maxLength} characters` }
}

/**
 * Returns the id that an imported row gets in this hub: its own if the collection accepts it, otherwise a digest of it, the same in each
 * import. `undefined` for a row without an id.
 */
export function idHere(collection: Collection, row: ForeignRow): string | undefined {
  const id = foreignText(row, 'id')
  if (id === '') return undefined
  return checkId(collection.idForm, id) === undefined ? id : derivedId(`${collection.name} ${id}`, collection.idForm.maxLength)
}

/** Returns the first `length` (at most 64) hexadecimal digits of the SHA-256 of `seed`, as a reproducible id. */
export const derivedId = (seed: string, length: number): string => createHash('sha256').update(seed).digest('hex').slice(0, length)
