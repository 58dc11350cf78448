import type { Json } from '@vedette/protocol/wire/stats-json'
import { blank } from '../model/field-check.ts'
import type { FieldErrors } from '../model/record-error.ts'

const SHORTEST = 8
const LONGEST_BYTES = 71

/**
 * Checks the new password and its repetition in a request body. Returns the errors by field name; `{}` if they are valid, or if both are
 * empty and no password is `needed`.
 */
export function checkNewPassword(body: { readonly [field: string]: Json }, needed: boolean): FieldErrors {
  const password = body['password'] ?? ''
  const repeated = body['passwordConfirm'] ?? ''
  if (password === '' && repeated === '' && !needed) return {}
  const errors: { [field: string]: FieldErrors[string] } = {}
  if (typeof password !== 'string' || password === '') errors['password'] = blank
  else {
    const wrong = checkPassword(password)
    if (wrong !== undefined) errors['password'] = wrong
  }
  if (repeated === '') errors['passwordConfirm'] = blank
  else if (repeated !== password) errors['passwordConfirm'] = { code: 'validation_values_mismatch', message: "Values don't match." }
  return errors
}

export function checkPassword(password: string): FieldErrors[string] | undefined {
  if (Array.from(password).length < SHORTEST) {
    return { code: 'validation_min_text_constraint', message: `Must be at least ${SHORTEST} character(s).` }
  }
  if (Buffer.byteLength(password) > LONGEST_BYTES) {
    return { code: 'validation_max_text_constraint', message: `Must be less than ${LONGEST_BYTES} character(s).` }
  }
  return undefined
}
