import * as words from '../words/messages.js'
import { TextField } from './text-field.tsx'

/** The hub refuses shorter passwords. */
const MIN_LENGTH = 8

/** A password that is being chosen. The form reads it by the name `password`. */
export const NewPasswordField = ({ label }: { label: string }) => (
  <TextField
    label={label}
    name="password"
    type="password"
    autoComplete="new-password"
    required
    minLength={MIN_LENGTH}
    hint={words.password_hint({ length: MIN_LENGTH })}
  />
)
