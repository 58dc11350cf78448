import type { CborMap, CborValue } from '../cbor/value.ts'
import { round2, toGibibytes, toMebibytes } from './units.ts'

/** Pair of key and value for a CBOR map that is built. An entry with the value `undefined` is left out. */
export type Entry = readonly [key: number | string, value: CborValue | undefined]

export function clamp(value: number, max = MOST): number {
  const whole = round(value)
  if (whole <= 0) return 0
  return whole > max ? max : whole
}

// Looked up once, because property look-ups are slow in the agent's small JavaScript engine.
const { round } = Math
const { isFinite, MAX_SAFE_INTEGER: MOST } = Number

export const integer = (value: number | undefined) => (value === undefined ? undefined : clamp(value))
export const decimal = (value: number | undefined) => (value === undefined ? undefined : round2(value))
export const gibibytes = (bytes: number | undefined) => (bytes === undefined ? undefined : toGibibytes(bytes))
export const mebibytes = (bytes: number | undefined) => (bytes === undefined ? undefined : toMebibytes(bytes))

export const sum = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a + b)
export const integers = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : [clamp(a), clamp(b)]

/**
 * Converts an object into a CBOR map from the same names to the results of `convert`; `undefined` results are left out. Returns `undefined`
 * if nothing is left.
 */
export function mapByName<T>(
  record: Readonly<Record<string, T>> | undefined,
  convert: (item: T, name: string) => CborValue | undefined,
): CborMap | undefined {
  const map = new Map<string, CborValue>()
  for (const [name, item] of Object.entries(record ?? {})) {
    const value = convert(item, name)
    if (value !== undefined) map.set(name, value)
  }
  return map.size === 0 ? undefined : map
}

/**
 * Returns a CBOR map of the entries (pairs of key and value). `undefined`, NaN and infinities are left out, because other hubs cannot store
 * them and would lose the whole sample.
 */
export function toMap(entries: readonly Entry[]): CborMap {
  const map = new Map<number | string, CborValue>()
  // By index: iteration and destructuring cost the agent's small engine more than all the rest here.
  for (let place = 0; place < entries.length; place++) {
    const entry = entries[place]
    const value = entry?.[1]
    if (entry !== undefined && value !== undefined && (typeof value !== 'number' || isFinite(value))) map.set(entry[0], value)
  }
  return map
}
