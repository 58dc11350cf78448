import * as fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff

/** Every code point but halves of pairs, to make texts of. fast-check's own, `binary`, makes a table of them all: too much for the native agent's memory. */
export const anyCharacter = fc
  .nat(LAST - SURROGATES)
  .map((number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES))
