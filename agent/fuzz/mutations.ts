import { inheritedNames } from '../../protocol/test/hostile-names.ts'

/** Random number generator: returns an integer from 0 to `below` − 1. Equal seeds give equal numbers. */
export type Dice = (below: number) => number

/**
 * Creates a random number generator (Mulberry32) from a seed: a function that takes `below` and returns an integer from 0 to `below` − 1.
 */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** List of byte values that fuzz tests insert: the limits of lengths and counts, where parsers fail most often. */
const AWKWARD_BYTES = [0, 1, 0x7e, 0x7f, 0x80, 0xfe, 0xff]

type Mutation = (bytes: Uint8Array, dice: Dice) => Uint8Array

const at = (bytes: Uint8Array, dice: Dice): number => dice(Math.max(1, bytes.length))

const replaced = (bytes: Uint8Array, start: number, count: number, piece: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytes.subarray(0, start), ...piece, ...bytes.subarray(start + count)])

const names = inheritedNames.map((name) => Buffer.from(name))
const nameOf = (dice: Dice): Uint8Array => names[dice(names.length)] ?? new Uint8Array()

const QUOTE = 0x22

/**
 * Returns a copy of the bytes for fuzz tests, in which a quoted text, such as a JSON member's name, is replaced. The new text is the name
 * of a property that every JavaScript object inherits, such as `constructor`. Without a quoted text after the random start position, the
 * input itself is returned.
 */
function withQuotedName(bytes: Uint8Array, dice: Dice): Uint8Array {
  const start = bytes.indexOf(QUOTE, at(bytes, dice)) + 1
  const end = bytes.indexOf(QUOTE, start)
  return start === 0 || end === -1 ? bytes : replaced(bytes, start, end - start, nameOf(dice))
}

/**
 * Returns a copy of the bytes with the name of a property that every JavaScript object inherits, such as `constructor`, inserted or written
 * over them. Unlike `withQuotedName`, it reaches names in CBOR. For fuzz tests.
 */
function withInsertedName(bytes: Uint8Array, dice: Dice): Uint8Array {
  const name = nameOf(dice)
  return replaced(bytes, at(bytes, dice), dice(2) * name.length, name)
}

const mutations: readonly Mutation[] = [
  withQuotedName,
  withInsertedName,
  (bytes, dice) => replaced(bytes, at(bytes, dice), 1, Uint8Array.of(dice(256))),
  (bytes, dice) => replaced(bytes, at(bytes, dice), 1, Uint8Array.of(AWKWARD_BYTES[dice(AWKWARD_BYTES.length)] ?? 0)),
  (bytes, dice) => {
    const index = at(bytes, dice)
    return replaced(bytes, index, 1, Uint8Array.of((bytes[index] ?? 0) ^ (1 << dice(8))))
  },
  // A huge length of two, four or eight bytes.
  (bytes, dice) => replaced(bytes, at(bytes, dice), 4, new Uint8Array([2, 4, 8][dice(3)] ?? 4).fill(0xff)),
  (bytes, dice) =>
    replaced(
      bytes,
      at(bytes, dice),
      0,
      Uint8Array.from({ length: 1 + dice(40) }, () => dice(256)),
    ),
  (bytes, dice) => replaced(bytes, at(bytes, dice), 1 + dice(40), new Uint8Array()),
  (bytes, dice) => {
    const start = at(bytes, dice)
    return replaced(bytes, start, 0, bytes.subarray(start, start + 1 + dice(200)))
  },
  (bytes, dice) => bytes.subarray(0, at(bytes, dice)),
]

/**
 * Applies one to four random changes to the bytes, for fuzz tests, and returns the result. A change may have no effect. The result may be
 * longer or shorter; the input stays as it is.
 */
export function mutate(bytes: Uint8Array, dice: Dice): Uint8Array {
  let broken = bytes
  for (let count = 1 + dice(4); count > 0; count--) broken = mutations[dice(mutations.length)]?.(broken, dice) ?? broken
  return broken
}

/**
 * Overwrites some bytes of the given array at random, in place, for fuzz tests of a message whose length must stay. `dice` gives the random
 * numbers.
 */
export function corrupt(bytes: Uint8Array, dice: Dice): void {
  if (dice(8) === 0) {
    const start = at(bytes, dice)
    bytes.set(nameOf(dice).subarray(0, bytes.length - start), start)
  }
  for (let count = 1 + dice(4); count > 0 && bytes.length > 0; count--) {
    bytes[at(bytes, dice)] = dice(3) === 0 ? (AWKWARD_BYTES[dice(AWKWARD_BYTES.length)] ?? 0) : dice(256)
  }
}
