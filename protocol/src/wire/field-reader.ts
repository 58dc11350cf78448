import { isCborMap, type CborMap, type CborValue } from '../cbor/value.ts'

/**
 * Problem of a field in an agent's message: it is present but of the wrong type or range. `path` is its place, such as `document.0.28`;
 * `expected` names the right type, such as `an array`. The other fields are still used.
 */
export type FieldProblem = { readonly path: string; readonly expected: string }

/**
 * Reader of typed fields in a decoded CBOR map. Absent and null fields are `undefined`. Fields of the wrong type are `undefined` too and
 * added to `problems`, so that one bad value does not lose the rest. Optimised for hundreds of fields: texts are built only for problems.
 */
export class FieldReader {
  readonly #map: CborMap
  readonly #path: Path
  readonly #problems: FieldProblem[]

  constructor(map: CborMap, path: Path, problems: FieldProblem[]) {
    this.#map = map
    this.#path = path
    this.#problems = problems
  }

  number(key: number): number | undefined {
    return this.#read(key, 'a finite number', toNumber)
  }

  /** Returns the number in the field with this key, if it is 0 or more. A negative one is added to `problems` and gives `undefined`. */
  amount(key: number): number | undefined {
    return this.#read(key, 'a number of 0 or more', toAmount)
  }

  text(key: number): string | undefined {
    return this.#read(key, 'a text', toText)
  }

  bytes(key: number): Uint8Array | undefined {
    return this.#read(key, 'a byte string', toBytes)
  }

  flag(key: number): boolean | undefined {
    return this.#read(key, 'a boolean', toFlag)
  }

  /**
   * Returns the list of numbers in a field that is an array or a byte string. One element that is no number makes the whole field
   * `undefined`.
   */
  numbers(key: number): readonly number[] | undefined {
    return this.#read(key, 'an array of numbers', toNumbers)
  }

  /** Returns the list of the texts in a field that is an array. Elements that are no text are left out and added to `problems`. */
  texts(key: number): readonly string[] | undefined {
    return this.#read(key, 'an array', toList)?.flatMap((item, index) => {
      const text = toText(item)
      if (text === undefined) this.#problems.push({ path: textOf({ of: { of: this.#path, key }, key: index }), expected: 'a text' })
      return text ?? []
    })
  }

  /**
   * Reads an integer field as an index into the list `words`, such as names of states, and returns the word there. An integer outside the
   * list is added to `problems`, and the result is `undefined`.
   */
  word<T extends string>(key: number, words: readonly T[]): T | undefined {
    const value = this.#given(key)
    if (value === undefined) return undefined
    const word = typeof value === 'number' ? words[value] : undefined
    if (word === undefined) this.#complain(key, `an integer below ${words.length}`)
    return word
  }

  numbersByName(key: number): Readonly<Record<string, number>> | undefined {
    return this.#byName(key, toNumber)
  }

  /**
   * Returns a map from name to converted number, for a field that is a map. Numbers for which `convert` returns `undefined` are left out
   * and added to `problems`.
   */
  convertedByName<T>(key: number, convert: (value: number) => T | undefined): Readonly<Record<string, T>> | undefined {
    return this.#byName(key, (item) => {
      const number = toNumber(item)
      return number === undefined ? undefined : convert(number)
    })
  }

  numberListsByName(key: number): Readonly<Record<string, readonly number[]>> | undefined {
    return this.#byName(key, toNumbers)
  }

  mapsByName<T>(key: number, convert: (nested: FieldReader) => T | undefined): Readonly<Record<string, T>> | undefined {
    return this.#byName(key, (item, name) => this.#nested(item, { of: { of: this.#path, key }, key: name }, convert))
  }

  map<T>(key: number, convert: (nested: FieldReader) => T): T | undefined {
    const value = this.#read(key, 'a map', toMap)
    return value && convert(new FieldReader(value, { of: this.#path, key }, this.#problems))
  }

  /**
   * Calls `convert` with a reader for each map in the list that a field contains, and returns the list of results. Elements that are no map
   * or give `undefined` are left out and added to `problems`.
   */
  maps<T>(key: number, convert: (nested: FieldReader) => T | undefined): readonly T[] | undefined {
    const items = this.#read(key, 'an array', toList)
    if (items === undefined) return undefined
    const of = { of: this.#path, key }
    const converted: T[] = []
    for (let index = 0; index < items.length; index++) {
      const path = { of, key: index }
      const one = this.#nested(items[index], path, convert)
      if (one === undefined) this.#problems.push({ path: textOf(path), expected: 'a usable map' })
      else converted.push(one)
    }
    return converted
  }

  #given(key: number): CborValue | undefined {
    return this.#map.get(key) ?? undefined
  }

  #read<T>(key: number, expected: string, convert: (value: CborValue) => T | undefined): T | undefined {
    const value = this.#given(key)
    if (value === undefined) return undefined
    const converted = convert(value)
    if (converted === undefined) this.#complain(key, expected)
    return converted
  }

  #complain(key: number, expected: string): void {
    this.#problems.push({ path: textOf({ of: this.#path, key }), expected })
  }

  #nested<T>(value: CborValue | undefined, path: Path, convert: (nested: FieldReader) => T): T | undefined {
    return isCborMap(value) ? convert(new FieldReader(value, path, this.#problems)) : undefined
  }

  #byName<T>(key: number, convert: (item: CborValue, name: number | string) => T | undefined): Readonly<Record<string, T>> | undefined {
    const source = this.#read(key, 'a map', toMap)
    if (source === undefined) return undefined
    const entries: [string, T][] = []
    source.forEach((item, name) => {
      const converted = convert(item, name)
      if (converted !== undefined) entries.push([String(name), converted])
      else this.#problems.push({ path: textOf({ of: { of: this.#path, key }, key: name }), expected: 'a usable value' })
    })
    return Object.fromEntries(entries)
  }
}

/**
 * Path of a map within a decoded message, from which texts of problems are made. The outermost map is a name; a nested one is an object
 * with the outer path (`of`) and its key there.
 */
export type Path = string | { readonly of: Path; readonly key: number | string }

const textOf = (path: Path): string => (typeof path === 'string' ? path : `${textOf(path.of)}.${path.key}`)

const toText = (value: CborValue) => (typeof value === 'string' ? value : undefined)
const toBytes = (value: CborValue) => (value instanceof Uint8Array ? value : undefined)
const toFlag = (value: CborValue) => (typeof value === 'boolean' ? value : undefined)
const toMap = (value: CborValue) => (isCborMap(value) ? value : undefined)
const toList = (value: CborValue) => (Array.isArray(value) ? (value as readonly CborValue[]) : undefined) // isArray() forgets what a read-only list holds

/** Largest number that is accepted in a field of an agent's message: 2^64, because counters have 64 bits. */
const LARGEST = 2 ** 64

function toNumber(value: CborValue): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= LARGEST ? number : undefined
}

function toAmount(value: CborValue): number | undefined {
  const number = toNumber(value)
  return number !== undefined && number >= 0 ? number : undefined
}

function toNumbers(value: CborValue): readonly number[] | undefined {
  if (value instanceof Uint8Array) return Array.from(value)
  if (!Array.isArray(value)) return undefined
  const numbers: number[] = []
  for (const item of value as readonly CborValue[]) {
    const number = toNumber(item)
    if (number === undefined) return undefined
    numbers.push(number)
  }
  return numbers
}
