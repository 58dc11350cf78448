import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inheritedNames } from '../../protocol/test/hostile-names.ts'
import { corrupt, diceOf, mutate } from './mutations.ts'

const sentence = Uint8Array.from({ length: 100 }, (_, index) => index)

test('mutate breaks the input in the same way for the same seed and in another way for another seed', () => {
  const broken = (seed: number) => Buffer.from(mutate(sentence, diceOf(seed))).toString('hex')
  const all = new Set(Array.from({ length: 1000 }, (_, seed) => broken(seed)))
  assert.ok(all.size > 900, `${all.size} of 1000`)
  assert.equal(broken(7), broken(7))
  assert.deepEqual(sentence[99], 99)
})

test('mutate only inserts bytes into empty input', () => {
  for (let seed = 0; seed < 200; seed++) assert.ok(mutate(new Uint8Array(), diceOf(seed)).length < 200)
})

test('corrupt keeps the length of the input', () => {
  const bytes = Uint8Array.from(sentence)
  corrupt(bytes, diceOf(1))
  assert.equal(bytes.length, 100)
  assert.notDeepEqual(bytes, sentence)
  corrupt(new Uint8Array(), diceOf(1))
})

test('mutate and corrupt insert each name that every object inherits; mutate also replaces a JSON key by it', () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`name ${index}`, index])))
  const broken = Array.from({ length: 3000 }, (_, seed) => Buffer.from(mutate(Buffer.from(text), diceOf(seed))).toString())
  const corrupted = Array.from({ length: 3000 }, (_, seed) => {
    const bytes = Buffer.from(text)
    corrupt(bytes, diceOf(seed))
    return bytes.toString()
  })
  for (const name of inheritedNames) {
    assert.ok(
      broken.some((one) => one.includes(`"${name}":`)),
      name,
    )
    assert.ok(
      corrupted.some((one) => one.includes(name)),
      name,
    )
  }
})
