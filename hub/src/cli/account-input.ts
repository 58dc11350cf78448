import { checkPassword } from '../records/writing/new-password.ts'
import { CommandRefusedError } from './command.ts'

export function emailIn(words: readonly string[]): string {
  const [email, ...more] = words
  if (email === undefined || more.length > 0 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new CommandRefusedError('Name one e-mail address, such as admin@example.com')
  }
  return email
}

/** Returns the password. Throws a CommandRefusedError if it is not allowed. */
export function usablePassword(password: string): string {
  const wrong = checkPassword(password)
  if (wrong !== undefined)
    throw new CommandRefusedError(`Cannot use the password: ${typeof wrong['message'] === 'string' ? wrong['message'] : 'it is refused'}`)
  return password
}
