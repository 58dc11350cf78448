import * as fc from 'fast-check'

/** Names that every JavaScript object inherits, or that lead to inherited members; also with dots and doubled. */
export const inheritedNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  '__proto__.__proto__',
  'a.__proto__',
  '__proto__.get',
  'constructor.prototype',
  'constructor.prototype.get',
  '__proto____proto__',
] as const

/** Generator of inherited names. All generators of untrusted names include it. */
export const inheritedName: fc.Arbitrary<string> = fc.constantFrom(...inheritedNames)

/** Generator of untrusted names: any text, or an inherited name. */
export const anyName: fc.Arbitrary<string> = fc.oneof({ weight: 2, arbitrary: fc.string({ unit: 'grapheme' }) }, inheritedName)

/** Generator of JSON values as a parser returns them, with untrusted names as keys and texts. */
export const anyJson: fc.Arbitrary<fc.JsonValue> = fc
  .letrec<{ json: fc.JsonValue }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }), anyName),
      fc.array(tie('json'), { maxLength: 5 }),
      fc.dictionary(anyName, tie('json'), { maxKeys: 5 }),
    ),
  }))
  .json.map((value) => JSON.parse(JSON.stringify(value)) as fc.JsonValue) // JSON, by its making
