import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'

/** A field that was there but could not be used: `path` such as "document.0.28". The rest of the document stands. */
export type FieldProblem = { readonly path: string; readonly expected: string }

/**
 * Reads typed fields out of one decoded map. Absent and null are `undefined` without complaint; anything else that does
 * not fit is `undefined` too and noted in `problems`, so that one bad value never loses the rest.
 */
export class FieldReader {
  readonly #map: CborMap
  readonly #path: string
  readonly #problems: FieldProblem[]

  constructor(map: CborMap, path: string, problems: FieldProblem[]) {
    this.#map = map
    this.#path = path
    this.#problems = problems
  }

  number(key: number): number | undefined {
    return this.#read(key, 'a finite number', toNumber)
  }

  /** A number of 0 or more; peers send no negative amounts. */
  amount(key: number): number | undefined {
    return this.#read(key, 'a number of 0 or more', (value) => atLeastZero(toNumber(value)))
  }

  text(key: number): string | undefined {
    return this.#read(key, 'a text', (value) => (typeof value === 'string' ? value : undefined))
  }

  bytes(key: number): Uint8Array | undefined {
    return this.#read(key, 'a byte string', (value) => (value instanceof Uint8Array ? value : undefined))
  }

  flag(key: number): boolean | undefined {
    return this.#read(key, 'a boolean', (value) => (typeof value === 'boolean' ? value : undefined))
  }

  /** Numbers of an array or a byte string; an element that is no number fails the field. */
  numbers(key: number): readonly number[] | undefined {
    return this.#read(key, 'an array of numbers', toNumbers)
  }

  /** The word that a small integer stands for. */
  word<T extends string>(key: number, words: readonly T[]): T | undefined {
    return this.#read(key, `an integer below ${words.length}`, (value) => (typeof value === 'number' ? words[value] : undefined))
  }

  numbersByName(key: number): Readonly<Record<string, number>> | undefined {
    return this.#byName(key, toNumber)
  }

  numberListsByName(key: number): Readonly<Record<string, readonly number[]>> | undefined {
    return this.#byName(key, toNumbers)
  }

  mapsByName<T>(key: number, convert: (nested: FieldReader) => T | undefined): Readonly<Record<string, T>> | undefined {
    return this.#byName(key, (item, path) => this.#nested(item, path, convert))
  }

  map<T>(key: number, convert: (nested: FieldReader) => T): T | undefined {
    return this.#read(key, 'a map', (value) => this.#nested(value, `${this.#path}.${key}`, convert))
  }

  /** An array of maps; elements that are no maps are left out and noted. */
  maps<T>(key: number, convert: (nested: FieldReader) => T | undefined): readonly T[] | undefined {
    const items = this.#read(key, 'an array', (value) => (Array.isArray(value) ? (value as readonly CborValue[]) : undefined))
    return items?.flatMap((item, index) => {
      const path = `${this.#path}.${key}.${index}`
      const converted = this.#nested(item, path, convert)
      if (converted === undefined) this.#problems.push({ path, expected: 'a usable map' })
      return converted === undefined ? [] : [converted]
    })
  }

  #read<T>(key: number, expected: string, convert: (value: CborValue) => T | undefined): T | undefined {
    const value = this.#map.get(key)
    if (value === undefined || value === null) return undefined
    const converted = convert(value)
    if (converted === undefined) this.#problems.push({ path: `${this.#path}.${key}`, expected })
    return converted
  }

  #nested<T>(value: CborValue, path: string, convert: (nested: FieldReader) => T): T | undefined {
    return isCborMap(value) ? convert(new FieldReader(value, path, this.#problems)) : undefined
  }

  #byName<T>(key: number, convert: (item: CborValue, path: string) => T | undefined): Readonly<Record<string, T>> | undefined {
    const source = this.#read(key, 'a map', (value) => (isCborMap(value) ? value : undefined))
    if (source === undefined) return undefined
    const entries = [...source].flatMap(([name, item]): [string, T][] => {
      const path = `${this.#path}.${key}.${name}`
      const converted = convert(item, path)
      if (converted === undefined) this.#problems.push({ path, expected: 'a usable value' })
      return converted === undefined ? [] : [[String(name), converted]]
    })
    return Object.fromEntries(entries)
  }
}

/** Counters have 64 bits; a larger number measures nothing. */
const LARGEST = 2 ** 64

function toNumber(value: CborValue): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= LARGEST ? number : undefined
}

const atLeastZero = (value: number | undefined): number | undefined => (value !== undefined && value >= 0 ? value : undefined)

function toNumbers(value: CborValue): readonly number[] | undefined {
  if (value instanceof Uint8Array) return Array.from(value)
  if (!Array.isArray(value)) return undefined
  const numbers = (value as readonly CborValue[]).map(toNumber)
  return numbers.every((number) => number !== undefined) ? numbers : undefined
}
