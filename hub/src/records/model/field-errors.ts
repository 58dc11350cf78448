import { z } from 'zod'
import { nullRecord } from '@vedette/protocol/null-record'
import { ownValue, setOwnValue } from '@vedette/protocol/own-value'
import type { FieldError, FieldErrors } from './record-error.ts'

/**
 * Returns the second argument of a zod `refine`, so that a form field fails with the code and message of `error`. {@link fieldErrorsOf}
 * then returns this error for the field.
 */
export const refusedWith = (error: FieldError) => ({ message: error.message, params: { fieldError: error } })

/** Converts a zod error to the first error of each top-level field, by field name. Errors without a code get `validation_invalid_value`. */
export function fieldErrorsOf({ issues }: z.ZodError): FieldErrors {
  const errors = nullRecord<FieldError>()
  for (const issue of issues.toReversed()) setOwnValue(errors, String(issue.path[0] ?? ''), fieldErrorOf(issue))
  return errors
}

type NestedErrors = { [name: string]: FieldError | NestedErrors }

/** Converts a zod error to field errors of a nested form, as objects by field name and list index: `{ rules: { 1: { label: … } } }`. */
export function nestedFieldErrorsOf({ issues }: z.ZodError): FieldErrors {
  const errors = nullRecord<NestedErrors[string]>()
  for (const issue of issues) putError(errors, issue.path.map(String), fieldErrorOf(issue))
  return errors
}

function putError(errors: NestedErrors, [name = '', ...rest]: readonly string[], error: FieldError): void {
  const known = ownValue(errors, name)
  if (rest.length === 0) return known === undefined ? setOwnValue(errors, name, error) : undefined
  const inner = known === undefined || 'code' in known ? nullRecord<NestedErrors[string]>() : known
  setOwnValue(errors, name, inner)
  putError(inner, rest, error)
}

function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  const known: unknown = issue.code === 'custom' ? issue.params?.['fieldError'] : undefined
  return known === undefined ? { code: 'validation_invalid_value', message: issue.message } : (known as FieldError) // refusedWith put it there
}

/**
 * Returns a zod schema that accepts any value for which `problem` returns `undefined`, unchanged. Otherwise it fails with the field error
 * that `problem` returned.
 */
export const checkedValue = <Value>(problem: (value: unknown) => FieldError | undefined) =>
  z.custom<Value>().superRefine((value, context) => refuse(context, problem(value)))

/**
 * Returns a zod schema of a text that the function `problem` checks: it returns a `FieldError` (code and message) or `undefined`. A value
 * of any other type counts as `''`.
 */
export const text = (problem: (text: string) => FieldError | undefined = () => undefined) =>
  z
    .string()
    .catch('')
    .superRefine((value, context) => refuse(context, problem(value)))

function refuse(context: z.RefinementCtx, error: FieldError | undefined): void {
  if (error !== undefined) context.addIssue({ code: 'custom', ...refusedWith(error) })
}

export const invalid = (message: string): FieldError => ({ code: 'validation_invalid_value', message })
const notListed: FieldError = { code: 'validation_in_invalid', message: 'Must be a valid value.' }

export const flag = z.boolean('Must be true or false.')

export const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max

export const wholeNumberBetween = (min: number, max: number) =>
  checkedValue<number>((value) => (isWhole(value, min, max) ? undefined : invalid(`Must be a whole number from ${min} to ${max}.`)))

export const oneOf = <Value extends string>(values: readonly Value[]) =>
  checkedValue<Value>((value) => (values.some((one) => one === value) ? undefined : notListed))
