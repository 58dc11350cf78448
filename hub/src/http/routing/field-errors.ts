import type { z } from 'zod'
import { nullRecord } from '@vedette/protocol/null-record'
import { setOwnValue } from '@vedette/protocol/own-value'
import type { FieldError, FieldErrors } from '../../records/model/record-error.ts'

/** Options of a refinement whose failure clients know by its code and message. */
export const refusedWith = (error: FieldError) => ({ message: error.message, params: { fieldError: error } })

/** The first problem of each field. Problems without a code of their own have the code `validation_invalid_value`. */
export function fieldErrorsOf({ issues }: z.ZodError): FieldErrors {
  const errors = nullRecord<FieldError>()
  for (const issue of issues.toReversed()) setOwnValue(errors, String(issue.path[0] ?? ''), fieldErrorOf(issue))
  return errors
}

function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  const known: unknown = issue.code === 'custom' ? issue.params?.['fieldError'] : undefined
  return known === undefined ? { code: 'validation_invalid_value', message: issue.message } : (known as FieldError) // refusedWith put it there
}
