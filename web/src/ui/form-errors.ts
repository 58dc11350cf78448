import { createContext, useContext } from 'react'
import { ownValue } from '@vedette/protocol/own-value'

/** Translated error messages by name of the form field. */
export type FieldErrors = Readonly<Record<string, string>>

/** React context by which a `<Form>` passes the error messages to its fields; `undefined` outside a form. */
export const FormErrors = createContext<FieldErrors | undefined>(undefined)

/**
 * React hook: returns the error message of a form field: `own`, the field's own error, if given, else that of the enclosing form for the
 * field's name. `undefined` without an error.
 */
export function useFieldError(name: string | undefined, own?: string): string | undefined {
  const errors = useContext(FormErrors)
  return own ?? (name === undefined || errors === undefined ? undefined : ownValue(errors, name))
}
