import { createHash, randomInt } from 'node:crypto'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Returns a random text of `length` lower-case letters and digits, from a cryptographic random source. */
export function randomId(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Returns an id of 15 lower-case letters and digits, derived from a text by SHA-256. The same text gives the same id on all hubs. */
export function digestId(text: string): string {
  const number = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  return number.toString(ALPHABET.length).padStart(ID_LENGTH, '0').slice(-ID_LENGTH)
}

const ID_LENGTH = 15
