import { randomInt } from 'node:crypto'

/** Number of recovery codes that a person gets when an authenticator app is turned on or the codes are renewed: 10. */
const COUNT = 10
/**
 * Text with all characters of a recovery code: upper-case letters and digits that are not easily confused, so without `I`, `L`, `O`, `0`
 * and `1`. A code has 59 random bits.
 */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 12

/** Returns 10 new recovery codes in groups of 4 characters, such as `ABCD-EFGH-JKMN`. */
export const createRecoveryCodes = (): readonly string[] => Array.from({ length: COUNT }, createRecoveryCode)

function createRecoveryCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return code.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Converts a recovery code that a person typed to the form for comparison: upper case, without spaces and hyphens. */
export const normalCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase()
