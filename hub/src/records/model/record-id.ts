import { randomInt } from 'node:crypto'
import type { IdForm } from './collection.ts'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A random text of `length` lower-case letters and digits. */
export function randomId(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Ids of lower-case letters and digits; a new one has `length`, or the least allowed. */
export function idForm(length: number, range: { minLength: number; maxLength: number } = { minLength: length, maxLength: length }): IdForm {
  return { ...range, pattern: /^[a-z0-9]+$/, generate: () => randomId(length) }
}
