import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { holdsNul, parseSentJson } from './json.ts'

const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', '\0', 'a', 'é', '\u{1F534}') })
const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 })
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('parseSentJson returns the same value as JSON.parse, also for brackets and quotes in strings', () => {
  fc.assert(
    fc.property(fc.oneof(value, text, fc.dictionary(text, text)), (sent) => {
      assert.deepEqual(parseSentJson(JSON.stringify(sent)), JSON.parse(JSON.stringify(sent)))
    }),
  )
})

test('parseSentJson refuses nesting deeper than 200, but not strings with many brackets', () => {
  assert.ok(Array.isArray(parseSentJson(nested(200))))
  assert.throws(() => parseSentJson(nested(201)), SyntaxError)
  assert.throws(() => parseSentJson('{"a":'.repeat(201)), /nests deeper than 200/)
  assert.equal(parseSentJson(JSON.stringify(`"${'['.repeat(500)}`)), `"${'['.repeat(500)}`)
  assert.equal(Object.keys(parseSentJson(`[${'[],'.repeat(500)}[]]`) ?? {}).length, 501, 'lists beside each other are not nested')
  for (const broken of ['', '{', '"', '"\\', ']']) assert.throws(() => parseSentJson(broken), SyntaxError)
})

test('parseSentJson replaces lone surrogates in strings and keys, and keeps pairs', () => {
  assert.deepEqual(parseSentJson('{"a\\ud83d":["\\udd34",{"b":"\\ud83d\\udd34"}],"c":1}'), {
    'a\ufffd': ['\ufffd', { b: '\u{1F534}' }],
    c: 1,
  })
})

test('holdsNul finds U+0000 in every string and key', () => {
  fc.assert(
    fc.property(fc.oneof(value, text, fc.dictionary(text, fc.array(text))), (sent) => {
      let isFound = false
      JSON.stringify(sent, (name, inner: unknown) => {
        isFound ||= name.includes('\0') || (typeof inner === 'string' && inner.includes('\0'))
        return inner
      })
      assert.equal(holdsNul(parseSentJson(JSON.stringify(sent))), isFound)
    }),
  )
})
