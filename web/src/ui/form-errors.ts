import { createContext, useContext } from 'react'
import { ownValue } from '@vedette/protocol/own-value'

/** Error messages by field name, ready to be shown. */
export type FieldErrors = Readonly<Record<string, string>>

/** The errors that the form around a field shows; `undefined` outside a form. */
export const FormErrors = createContext<FieldErrors | undefined>(undefined)

/** The error of a named field. `own`, where a field brings its error itself, wins. */
export function useFieldError(name: string | undefined, own?: string): string | undefined {
  const errors = useContext(FormErrors)
  return own ?? (name === undefined || errors === undefined ? undefined : ownValue(errors, name))
}
