import type { Collection, Field } from '../model/collection.ts'
import { FilterError } from './parse.ts'
import type { Term } from './plan.ts'

/** The term of a field in a comparison; `path` leads into JSON. */
export function plainTerm(
  field: Field,
  path: readonly string[],
  { join, collection }: { readonly join: number; readonly collection: Collection },
): Term {
  switch (field.kind) {
    case 'json':
      return { kind: 'json', join, column: field.name, path }
    case 'secret':
      return { kind: 'secret', join, column: field.name, collection }
    case 'number':
    case 'flag':
      return { kind: 'column', join, column: field.name, type: 'number' }
    default:
      return { kind: 'column', join, column: field.name, type: 'text' }
  }
}

/**
 * The term of a field with a modifier. A modifier that does not fit the field gives a term that never matches. Throws {@link FilterError}
 * for an unknown modifier.
 */
export function modifiedTerm(field: Field | undefined, modifier: string, join: number): Term {
  const column = field?.name ?? 'id'
  switch (modifier) {
    case 'lower':
      if (isNumeric(field)) return { kind: 'lower', join, column, isNumber: true }
      return canBeLower(field) ? { kind: 'lower', join, column } : { kind: 'never' }
    case 'length':
      return isChoice(field) ? { kind: 'count', join, column, list: isList(field) } : { kind: 'never' }
    case 'each':
      return isChoice(field) ? { kind: 'column', join, column, type: 'text' } : { kind: 'never' }
    case 'isset':
    case 'changed':
      return { kind: 'never' }
    default:
      throw new FilterError(`Cannot read the filter: there is no modifier "${modifier}"`)
  }
}

function isList(field: Field | undefined): boolean {
  return field?.kind === 'relation' && field.many === true
}

function isChoice(field: Field | undefined): boolean {
  return field?.kind === 'relation' || field?.kind === 'select'
}

function isNumeric(field: Field | undefined): boolean {
  return field?.kind === 'number' || field?.kind === 'flag'
}

function canBeLower(field: Field | undefined): boolean {
  return (isChoice(field) && !isList(field)) || field?.kind === 'text' || field?.kind === 'email'
}
