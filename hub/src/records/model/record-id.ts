import { randomInt } from 'node:crypto'
import type { IdForm } from './collection.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A random text of `length` lower-case letters and digits. */
export function randomId(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Id format of lower-case letters and digits. New ids have `length` characters; `range` limits the ids that clients send. */
export function idForm(length: number, range: { minLength: number; maxLength: number } = { minLength: length, maxLength: length }): IdForm {
  return { ...range, pattern: /^[a-z0-9]+$/, generate: () => randomId(length) }
}
