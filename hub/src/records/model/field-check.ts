import type { Json } from '@vedette/protocol/wire/stats-json'
import type { Field, IdForm } from './collection.ts'
import { isJsonObject } from '../../platform/json.ts'
import type { FieldError } from './record-error.ts'
import { asText } from './stored-record.ts'
import { tagProblem } from './tag.ts'

const LONGEST_TEXT = 5000

export const blank: FieldError = { code: 'validation_required', message: 'Cannot be blank.' }
export const notUnique: FieldError = { code: 'validation_not_unique', message: 'Value must be unique.' }
export const missingRelation: FieldError = {
  code: 'validation_missing_rel_records',
  message: 'Failed to find all relation records with the provided ids.',
}

type Lengths = { readonly minLength?: number; readonly maxLength?: number; readonly pattern?: RegExp }

/**
 * Checks a value against the type and limits of a record field. Flags, dates and relations are only checked for being empty if required.
 * Returns a field error (code and message), or `undefined` when the value is valid.
 */
export function checkField(field: Field, value: Json): FieldError | undefined {
  if (isBlank(value)) return field.required === true ? blank : undefined
  switch (field.kind) {
    case 'text':
    case 'secret':
      return checkText(field, asText(value))
    case 'number':
      return checkNumber(field, Number(value))
    case 'select':
      return field.values.some((one) => one === value) ? undefined : invalidChoice(value)
    case 'email':
      return checkEmail(asText(value))
    case 'json':
      return checkSize(field.maxBytes, value)
    case 'labels':
      return checkTags(field, value)
    default:
      return undefined
  }
}

export function checkId({ minLength, maxLength, pattern }: IdForm, id: string): FieldError | undefined {
  return checkText({ minLength, maxLength, pattern }, id)
}

function isBlank(value: Json): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}

function checkText({ minLength = 0, maxLength = LONGEST_TEXT, pattern }: Lengths, text: string): FieldError | undefined {
  const length = Array.from(text).length
  if (length < minLength) {
    return { code: 'validation_min_text_constraint', message: `Must be at least ${minLength} character(s).`, params: { min: minLength } }
  }
  if (length > maxLength) {
    return {
      code: 'validation_max_text_constraint',
      message: `Must be no more than ${maxLength} character(s).`,
      params: { max: maxLength },
    }
  }
  return pattern === undefined || pattern.test(text) ? undefined : { code: 'validation_invalid_format', message: 'Invalid value format.' }
}

function checkNumber({ min, max, integer }: { readonly min?: number; readonly max?: number; readonly integer?: true }, value: number) {
  if (integer === true && !Number.isInteger(value)) {
    return { code: 'validation_only_int_constraint', message: 'Decimal numbers are not allowed.' }
  }
  if (min !== undefined && value < min) {
    return { code: 'validation_min_number_constraint', message: `Must be larger or equal than ${min}.`, params: { min } }
  }
  if (max !== undefined && value > max) {
    return { code: 'validation_max_number_constraint', message: `Must be less or equal than ${max}.`, params: { max } }
  }
  return undefined
}

function checkTags({ most = Number.POSITIVE_INFINITY }: { readonly most?: number }, value: Json): FieldError | undefined {
  const tags = Array.isArray(value) ? value : []
  if (tags.length > most) {
    return { code: 'validation_length_too_long', message: `The length must be no more than ${most}.`, params: { max: most, min: 0 } }
  }
  for (const tag of tags) {
    const problem = tagProblem(asText(tag))
    if (problem !== undefined) return problem
  }
  return undefined
}

function invalidChoice(value: Json): FieldError {
  return { code: 'validation_invalid_value', message: `Invalid value ${asText(value)}.`, params: { value } }
}

/**
 * Returns true when a text is an email address: one `@`, a local part before it, and a domain name with a dot after it. Lengths follow RFC
 * 5321, 4.5.3.1.
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= 254 && /^[^\s@<>()[\],;:"\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*$/u.test(text)
  )
}

function checkEmail(text: string): FieldError | undefined {
  return isEmail(text) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' }
}

function checkSize(maxBytes: number, value: Json): FieldError | undefined {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return undefined
  return {
    code: 'validation_json_size_limit',
    message: `The maximum allowed JSON size is ${maxBytes} bytes.`,
    params: { maxSize: maxBytes },
  }
}
