import { fieldMessagesOf } from '../../api/field-messages.ts'
import type { FactorProof } from '../../api/second-factors.ts'
import type { TextOf } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

/** Which proof the hub requires before the user may change second factors: the password, and a code of the authenticator app. */
export type NeededProof = { readonly needsPassword: boolean; readonly needsCode: boolean }

/**
 * React component: form fields for the password (`needsPassword`) and for a code of the authenticator app (`needsCode`), as proof before
 * second factors are changed.
 */
export function ProofFields({ needsPassword, needsCode }: NeededProof) {
  return (
    <>
      {needsPassword && (
        <TextField label={words.field_old_password()} name="password" type="password" autoComplete="current-password" required />
      )}
      {needsCode && (
        <TextField
          label={words.field_code()}
          name="code"
          autoComplete="one-time-code"
          required
          maxLength={40}
          hint={words.app_code_hint()}
        />
      )}
    </>
  )
}

/**
 * Returns the password and code that the user typed into {@link ProofFields}; an empty string for a field that is not shown. `textOf`
 * returns a form field's text by name.
 */
export const proofOf = ({ needsPassword, needsCode }: NeededProof, textOf: TextOf): FactorProof => ({
  password: needsPassword ? textOf('password') : '',
  code: needsCode ? textOf('code') : '',
})

/**
 * Returns translated messages by form field name about a wrong password or code, from the error of a request that {@link ProofFields} were
 * sent with. Empty when the error is about neither shown field.
 */
export function refusedProof({ needsPassword, needsCode }: NeededProof, error: unknown): Readonly<Record<string, string>> {
  const { password, code } = fieldMessagesOf(error)
  return {
    ...(needsPassword && password !== undefined ? { password } : {}),
    ...(needsCode && code !== undefined ? { code: words.app_code_wrong() } : {}),
  }
}
