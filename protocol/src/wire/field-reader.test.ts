import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CborMap, CborValue } from '../cbor/value.ts'
import { FieldReader, type FieldProblem } from './field-reader.ts'

const map = (...entries: readonly (readonly [number | string, CborValue])[]): CborMap => new Map(entries)

type Read = (reader: FieldReader) => unknown

/** The value of a reader for one field, and its problems. */
function readOf(value: CborValue | undefined, read: Read): { readonly given: unknown; readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const given = read(new FieldReader(value === undefined ? map() : map([7, value]), 'document', problems))
  return { given, problems }
}

const numberOf: Read = (reader) => reader.number(7)
const amountOf: Read = (reader) => reader.amount(7)
const textOf: Read = (reader) => reader.text(7)
const bytesOf: Read = (reader) => reader.bytes(7)
const flagOf: Read = (reader) => reader.flag(7)
const numbersOf: Read = (reader) => reader.numbers(7)
const textsOf: Read = (reader) => reader.texts(7)
const wordOf: Read = (reader) => reader.word(7, ['zero', 'one'])
const byNameOf: Read = (reader) => reader.numbersByName(7)
const listsOf: Read = (reader) => reader.numberListsByName(7)
const convertedOf: Read = (reader) => reader.convertedByName(7, (value) => (value > 0 ? value * 2 : undefined))
const mapOf: Read = (reader) => reader.map(7, (nested) => nested.text(1))
const mapsOf: Read = (reader) => reader.maps(7, (nested) => nested.text(1))
const mapsByNameOf: Read = (reader) => reader.mapsByName(7, (nested) => nested.text(1))

const readers: readonly Read[] = [
  numberOf,
  amountOf,
  textOf,
  bytesOf,
  flagOf,
  numbersOf,
  wordOf,
  byNameOf,
  listsOf,
  convertedOf,
  mapOf,
  mapsOf,
  mapsByNameOf,
]

test('FieldReader returns undefined for an absent field and for null, without a problem', () => {
  for (const read of readers)
    for (const value of [undefined, null]) assert.deepEqual(readOf(value, read), { given: undefined, problems: [] })
})

const largest = 2 ** 64
const taken: readonly (readonly [what: string, read: Read, value: CborValue, given: unknown])[] = [
  ['number', numberOf, 1.5, 1.5],
  ['number', numberOf, -1.5, -1.5],
  ['number', numberOf, 0, 0],
  ['number', numberOf, 5n, 5],
  ['number', numberOf, largest, largest],
  ['number', numberOf, -largest, -largest],
  ['amount', amountOf, 0, 0],
  ['amount', amountOf, 9n, 9],
  ['text', textOf, '', ''],
  ['text', textOf, 'x', 'x'],
  ['bytes', bytesOf, Uint8Array.of(1), Uint8Array.of(1)],
  ['flag', flagOf, false, false],
  ['flag', flagOf, true, true],
  ['numbers', numbersOf, [], []],
  ['numbers', numbersOf, [1, -2.5, 3n], [1, -2.5, 3]],
  ['numbers', numbersOf, Uint8Array.of(3, 255), [3, 255]],
  ['texts', textsOf, [], []],
  ['texts', textsOf, ['a', ''], ['a', '']],
  ['word', wordOf, 0, 'zero'],
  ['word', wordOf, 1, 'one'],
  ['numbersByName', byNameOf, map(['a', 1], [2, 3]), { a: 1, 2: 3 }],
  ['numbersByName', byNameOf, map(), {}],
  ['numberListsByName', listsOf, map(['a', [1]], ['b', []]), { a: [1], b: [] }],
  ['convertedByName', convertedOf, map(['a', 1]), { a: 2 }],
  ['map', mapOf, map([1, 'inner']), 'inner'],
  ['maps', mapsOf, [map([1, 'a']), map([1, 'b'])], ['a', 'b']],
  ['maps', mapsOf, [], []],
  ['mapsByName', mapsByNameOf, map(['a', map([1, 'inner'])]), { a: 'inner' }],
]

for (const [what, read, value, given] of taken) {
  test(`FieldReader.${what} accepts ${shown(value)}`, () => assert.deepEqual(readOf(value, read), { given, problems: [] }))
}

const here = 'document.7'
const refused: readonly (readonly [
  what: string,
  read: Read,
  value: CborValue,
  ...problem: readonly [expected: string, path?: string, given?: unknown],
])[] = [
  ['number', numberOf, '1', 'a finite number'],
  ['number', numberOf, true, 'a finite number'],
  ['number', numberOf, Number.NaN, 'a finite number'],
  ['number', numberOf, Number.POSITIVE_INFINITY, 'a finite number'],
  ['number', numberOf, largest * 2, 'a finite number'],
  ['number', numberOf, -largest * 2, 'a finite number'],
  ['amount', amountOf, -1, 'a number of 0 or more'],
  ['amount', amountOf, 'x', 'a number of 0 or more'],
  ['text', textOf, 5, 'a text'],
  ['bytes', bytesOf, 'x', 'a byte string'],
  ['flag', flagOf, 1, 'a boolean'],
  ['numbers', numbersOf, 5, 'an array of numbers'],
  ['numbers', numbersOf, [1, 'x'], 'an array of numbers'],
  ['numbers', numbersOf, [1, null], 'an array of numbers'],
  ['texts', textsOf, 'a', 'an array'],
  ['texts', textsOf, ['a', 5, 'b'], 'a text', `${here}.1`, ['a', 'b']],
  ['word', wordOf, 2, 'an integer below 2'],
  ['word', wordOf, -1, 'an integer below 2'],
  ['word', wordOf, 0.5, 'an integer below 2'],
  ['word', wordOf, 'one', 'an integer below 2'],
  ['word', wordOf, 1n, 'an integer below 2'],
  ['numbersByName', byNameOf, [1], 'a map'],
  ['numbersByName', byNameOf, map(['a', 1], ['b', 'x'], ['c', null]), 'a usable value', `${here}.b`, { a: 1 }],
  ['numberListsByName', listsOf, map(['a', [1]], ['b', 1]), 'a usable value', `${here}.b`, { a: [1] }],
  ['convertedByName', convertedOf, map(['a', 1], ['b', 0]), 'a usable value', `${here}.b`, { a: 2 }],
  ['convertedByName', convertedOf, map(['a', 1], ['b', '1']), 'a usable value', `${here}.b`, { a: 2 }],
  ['map', mapOf, 'x', 'a map'],
  ['map', mapOf, [map()], 'a map'],
  ['map', mapOf, map([1, 5]), 'a text', `${here}.1`],
  ['maps', mapsOf, map(), 'an array'],
  ['maps', mapsOf, [map([1, 'a']), 'x'], 'a usable map', `${here}.1`, ['a']],
  ['maps', mapsOf, [map(), map([1, 'b'])], 'a usable map', `${here}.0`, ['b']],
  ['mapsByName', mapsByNameOf, [], 'a map'],
  ['mapsByName', mapsByNameOf, map(['a', map([1, 'inner'])], ['b', 'x']), 'a usable value', `${here}.b`, { a: 'inner' }],
]

for (const [what, read, value, expected, path = here, given] of refused) {
  test(`FieldReader.${what} of ${shown(value)} reports that it expected ${expected} at ${path}`, () => {
    const found = readOf(value, read)
    assert.deepEqual(found.given, given)
    const [first] = found.problems
    assert.deepEqual(first, { path, expected })
  })
}

test('FieldReader reports problems of nested maps with their path', () => {
  const inner = map([1, 5])
  assert.deepEqual(readOf([inner], mapsOf).problems, [
    { path: 'document.7.0.1', expected: 'a text' },
    { path: 'document.7.0', expected: 'a usable map' },
  ])
  assert.deepEqual(readOf(map(['x', inner]), mapsByNameOf).problems, [
    { path: 'document.7.x.1', expected: 'a text' },
    { path: 'document.7.x', expected: 'a usable value' },
  ])
})

function shown(value: CborValue): string {
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${key}: ${shown(one as CborValue)}`).join(', ')}}` // keys and values of a CborMap
  if (value instanceof Uint8Array) return `bytes ${value.join()}`
  return Array.isArray(value) ? `[${value.map((one) => shown(one as CborValue)).join(', ')}]` : String(value) // elements of a list
}
