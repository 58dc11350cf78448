import * as words from '../words/messages.js'
import { TextField } from './text-field.tsx'

/** Minimum length, in characters, of a new password: 8, as the hub requires. The form reports a shorter one. */
const MIN_LENGTH = 8

/** React component: form field for a new password of at least 8 characters. Its name in the form is `password`. */
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
