import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isListed, matcherOf, matchesGlob, parseNameFilter } from './glob.ts'

for (const [pattern, name, expected] of [
  ['eth0', 'eth0', true],
  ['eth0', 'eth01', false],
  ['eth*', 'eth', true],
  ['*_test', 'a_test', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['wlan?', 'wlan1', true],
  ['wlan?', 'wlan', false],
  ['*', '', true],
  ['', 'a', false],
  ['a.c', 'abc', false],
  ['[a]', 'a', false],
  ['**', 'a\nb', true],
] as const) {
  test(`matchesGlob: "${pattern}" ${expected ? 'matches' : 'does not match'} ${JSON.stringify(name)}`, () => {
    assert.equal(matchesGlob(pattern, name), expected)
  })
}

/** A small alphabet, so that pattern and name often match. */
const names = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-'), maxLength: 12 })
const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', '*', '?'), maxLength: 12 })

/** A slow reference implementation: it matches the first character of the pattern, then recursively the rest. */
function fits([first, ...rest]: readonly string[], name: string): boolean {
  if (first === undefined) return name === ''
  if (first === '*') return fits(rest, name) || (name !== '' && fits([first, ...rest], name.slice(1)))
  return name !== '' && (first === '?' || first === name[0]) && fits(rest, name.slice(1))
}

test('matchesGlob agrees with the reference implementation', () => {
  fc.assert(
    fc.property(patterns, names, (pattern, name) => assert.equal(matchesGlob(pattern, name), fits(pattern.split(''), name))),
    { numRuns: 2000 },
  )
})

test('matcherOf agrees with matchesGlob over each pattern of a list', () => {
  fc.assert(
    fc.property(fc.array(patterns), names, (list, name) => {
      assert.equal(
        matcherOf(list)(name),
        list.some((pattern) => matchesGlob(pattern, name)),
      )
    }),
  )
})

test('matchesGlob is fast with any number of stars', () => {
  assert.equal(matchesGlob('*a'.repeat(500) + 'b', 'a'.repeat(20_000)), false)
})

test('parseNameFilter selects the names of a list, or all others if the list starts with "-"', () => {
  assert.deepEqual(parseNameFilter(' eth* , ,wlan0'), { mode: 'only', patterns: ['eth*', 'wlan0'] })
  assert.deepEqual(parseNameFilter('-docker*,veth-1'), { mode: 'except', patterns: ['docker*', 'veth-1'] })
  assert.deepEqual(parseNameFilter(''), { mode: 'only', patterns: [] })
})

test('isListed finds a name on the list of its own pattern, and not on an empty list', () => {
  fc.assert(
    fc.property(names, fc.array(patterns), (name, others) => {
      const list = [...others, name].join(',')
      const filter = parseNameFilter(list)
      // A list that starts with "-" is a list of exceptions. Within a list "-" is part of a name.
      if (name !== '' && !list.startsWith('-')) assert.equal(isListed(filter, name), true)
      assert.equal(isListed({ mode: 'only', patterns: [] }, name), false)
    }),
  )
})
