import { fieldMessagesOf } from '../../api/field-messages.ts'
import type { FactorProof } from '../../api/second-factors.ts'
import type { TextOf } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import * as words from '../../words/messages.js'

/** Proof that the hub requires before a change of second factors. */
export type NeededProof = { readonly needsPassword: boolean; readonly needsCode: boolean }

/** React component: fields of a form for the password and a code of the authenticator app, if the hub requires them. */
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

/** Reads password and code from the form with {@link ProofFields}; a field that is not shown is empty. */
export const proofOf = ({ needsPassword, needsCode }: NeededProof, textOf: TextOf): FactorProof => ({
  password: needsPassword ? textOf('password') : '',
  code: needsCode ? textOf('code') : '',
})

/** Returns the messages of the hub about the fields of {@link ProofFields} that are shown, by field name. */
export function refusedProof({ needsPassword, needsCode }: NeededProof, error: unknown): Readonly<Record<string, string>> {
  const { password, code } = fieldMessagesOf(error)
  return {
    ...(needsPassword && password !== undefined ? { password } : {}),
    ...(needsCode && code !== undefined ? { code: words.app_code_wrong() } : {}),
  }
}
