import * as fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const LAST = 0x10ffff

/**
 * Generator of texts with one code point, excluding surrogates. fast-check's own `binary` builds a table of all code points, which exceeds
 * the native agent's memory.
 */
export const anyCharacter = fc
  .nat(LAST - SURROGATES)
  .map((number) => String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES))
