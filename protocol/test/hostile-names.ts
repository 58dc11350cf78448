import * as fc from 'fast-check'

/** Names that every object inherits, or that lead to what it inherits; also with dots and doubled. */
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

/** One of them: every generator of names from outside has it among its own. */
export const inheritedName: fc.Arbitrary<string> = fc.constantFrom(...inheritedNames)

/** Any name from outside. */
export const anyName: fc.Arbitrary<string> = fc.oneof({ weight: 2, arbitrary: fc.string({ unit: 'grapheme' }) }, inheritedName)

/** Any JSON value, as a parser gives it, with such names in its objects. */
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
