import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyJson, anyName } from '../../../protocol/test/hostile-names.ts'
import { listAt, memberAt, numberAt, parseJson, textAt } from './json.ts'

const value = parseJson('{"a":{"n":1,"t":"x","l":[1,"2"],"none":null}}')

test('JSON readers return existing values', () => {
  assert.equal(numberAt(value, 'a', 'n'), 1)
  assert.equal(textAt(value, 'a', 't'), 'x')
  assert.deepEqual(listAt(value, 'a', 'l'), [1, '2'])
  assert.equal(memberAt(value, 'a', 'none'), null)
})

test('JSON readers return undefined for a missing value or a value of another type', () => {
  assert.deepEqual([numberAt(value, 'a', 't'), textAt(value, 'a', 'n'), memberAt(value, 'b', 'c')], [undefined, undefined, undefined])
  assert.deepEqual([listAt(value, 'a'), listAt(value, 'a', 'none')], [[], []])
})

test('memberAt never returns a member that every object inherits', () => {
  assert.equal(memberAt(value, 'constructor'), undefined)
  assert.equal(memberAt(value, 'a', 'l', 'length'), undefined)
})

test('parseJson never throws, and reads what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.string(), anyJson, anyName, (text, written, name) => {
      parseJson(text)
      const named = { [name]: written }
      assert.deepEqual(memberAt(parseJson(JSON.stringify(named)), name), written)
      const line = JSON.stringify(written)
      assert.equal(JSON.stringify(parseJson(line)), line)
    }),
  )
})
