import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardObjectPrototype } from './guarded-prototype.ts'

guardObjectPrototype()
const everything = Object.prototype as { [name: string]: unknown }

test('guardObjectPrototype prevents additions to, replacements in and deletions from the shared object prototype', () => {
  for (const name of ['get', 'value', 'polluted', ...Object.getOwnPropertyNames(everything).filter((one) => one !== '__proto__')]) {
    const before = everything[name]
    assert.throws(() => (everything[name] = 1), TypeError, name)
    assert.throws(() => Object.defineProperty(everything, name, { value: 1 }), TypeError, name)
    assert.equal(everything[name], before, name)
    if (before !== undefined) assert.throws(() => delete everything[name], TypeError, name)
  }
  assert.throws(() => Object.setPrototypeOf(everything, { polluted: 1 }), TypeError)
})

test('guardObjectPrototype still lets objects have their own members with those names', () => {
  const plain: { [name: string]: unknown } = {}
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__']) plain[name] = name
  assert.equal(JSON.stringify(plain), JSON.stringify(Object.fromEntries(Object.keys(plain).map((name) => [name, name]))))
  const derived = Object.create({ toString: () => 'inherited' }) as { toString: () => string } // what it is made of
  assert.equal(String(derived), 'inherited')
  derived.toString = () => 'own'
  assert.equal(String(derived), 'own')
  class Named {
    toString(): string {
      return 'of a class'
    }
  }
  assert.deepEqual([String(new Named()), String({}), new Named().constructor], ['of a class', '[object Object]', Named])
})
