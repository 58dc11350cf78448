import { inheritedNames } from '../../protocol/test/hostile-names.ts'

/** Numbers from 0 up to `below`, the same for the same seed. */
export type Dice = (below: number) => number

/** Mulberry32: small, quick, and good enough to choose what to break. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Lengths and counts at which readers go wrong. */
const AWKWARD_BYTES = [0, 1, 0x7e, 0x7f, 0x80, 0xfe, 0xff]

type Mutation = (bytes: Uint8Array, dice: Dice) => Uint8Array

const at = (bytes: Uint8Array, dice: Dice): number => dice(Math.max(1, bytes.length))

const replaced = (bytes: Uint8Array, start: number, count: number, piece: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytes.subarray(0, start), ...piece, ...bytes.subarray(start + count)])

const names = inheritedNames.map((name) => Buffer.from(name))
const nameOf = (dice: Dice): Uint8Array => names[dice(names.length)] ?? new Uint8Array()

const QUOTE = 0x22

/** Puts a name that every object inherits in place of a text in quotes, such as the name of a JSON member. */
function renamed(bytes: Uint8Array, dice: Dice): Uint8Array {
  const start = bytes.indexOf(QUOTE, at(bytes, dice)) + 1
  const end = bytes.indexOf(QUOTE, start)
  return start === 0 || end === -1 ? bytes : replaced(bytes, start, end - start, nameOf(dice))
}

/** The same over what is there, or between it: for names that have their length before them, or none. */
function overwritten(bytes: Uint8Array, dice: Dice): Uint8Array {
  const name = nameOf(dice)
  return replaced(bytes, at(bytes, dice), dice(2) * name.length, name)
}

const mutations: readonly Mutation[] = [
  renamed,
  overwritten,
  (bytes, dice) => replaced(bytes, at(bytes, dice), 1, Uint8Array.of(dice(256))),
  (bytes, dice) => replaced(bytes, at(bytes, dice), 1, Uint8Array.of(AWKWARD_BYTES[dice(AWKWARD_BYTES.length)] ?? 0)),
  (bytes, dice) => {
    const index = at(bytes, dice)
    return replaced(bytes, index, 1, Uint8Array.of((bytes[index] ?? 0) ^ (1 << dice(8))))
  },
  // A length of two, four or eight bytes that is larger than anything.
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

/** The bytes with one to four things wrong. */
export function mutate(bytes: Uint8Array, dice: Dice): Uint8Array {
  let broken = bytes
  for (let count = 1 + dice(4); count > 0; count--) broken = mutations[dice(mutations.length)]?.(broken, dice) ?? broken
  return broken
}

/** The same length, some of its bytes others: for what is counted elsewhere. */
export function corrupt(bytes: Uint8Array, dice: Dice): void {
  if (dice(8) === 0) {
    const start = at(bytes, dice)
    bytes.set(nameOf(dice).subarray(0, bytes.length - start), start)
  }
  for (let count = 1 + dice(4); count > 0 && bytes.length > 0; count--) {
    bytes[at(bytes, dice)] = dice(3) === 0 ? (AWKWARD_BYTES[dice(AWKWARD_BYTES.length)] ?? 0) : dice(256)
  }
}
