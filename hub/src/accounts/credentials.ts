import { nullRecord } from '@vedette/protocol/null-record'
import type { Json } from '@vedette/protocol/wire/stats-json'
import { blank } from '../records/model/field-check.ts'
import { badRequest, type FieldErrors } from '../records/model/record-error.ts'
import { asText } from '../records/model/stored-record.ts'

const LONGEST_INPUT = 255

/**
 * Parses the JSON fields of a sign-in request. Returns the text that the user entered as email address (`identity`) and the `password`.
 * Throws 400, with field errors if a field has a wrong value.
 */
export function parseCredentials(sent: { readonly [field: string]: Json }): { readonly identity: string; readonly password: string } {
  const { identity, password, identityField } = sent
  if (![identity, password].every(isTextOrNothing)) throw badRequest('An error occurred while loading the submitted data.')
  const errors = nullRecord<FieldErrors[string]>()
  for (const [name, value] of Object.entries({ identity, password })) {
    const error = checkInput(asText(value ?? ''))
    if (error !== undefined) errors[name] = error
  }
  if (!['email', '', null, undefined].some((one) => one === identityField))
    errors['identityField'] = { code: 'validation_in_invalid', message: 'Must be a valid value.' }
  if (Object.keys(errors).length > 0) throw badRequest('An error occurred while validating the submitted data.', errors)
  return { identity: asText(identity ?? ''), password: asText(password ?? '') }
}

function isTextOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string'
}

function checkInput(text: string): FieldErrors[string] | undefined {
  if (text === '') return blank
  if (text.length <= LONGEST_INPUT) return undefined
  return {
    code: 'validation_length_out_of_range',
    message: `The length must be between 1 and ${LONGEST_INPUT}.`,
    params: { max: LONGEST_INPUT, min: 1 },
  }
}
