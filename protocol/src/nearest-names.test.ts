import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearestNames } from './nearest-names.ts'

const names = ['--listen', '--data', '--database', '--database-pooler', '--secret-key', 'doctor', 'health', 'user create', 'user list']

for (const [word, expected] of [
  ['--lisen', ['--listen']],
  ['--litsen', ['--listen']],
  ['--LISTEN', ['--listen']],
  ['--dta', ['--data']],
  ['--datbase', ['--database', '--data']],
  ['docter', ['doctor']],
  ['user creat', ['user create']],
  ['--verbose', []],
  ['x', []],
  ['', []],
  ['-'.repeat(1_000_000), []],
] as const)
  test(`nearestNames: "${word.slice(0, 20)}"`, () => assert.deepEqual(nearestNames(word, names), expected))

test('nearestNames finds a name with one change', () => {
  const name = 'abcdabcd-abcd'
  for (let at = 0; at <= name.length; at++)
    for (const put of ['', 'z'])
      for (const left of [0, 1]) assert.deepEqual(nearestNames(name.slice(0, at) + put + name.slice(at + left), [name]), [name])
})

test('didYouMean returns one name, several names joined by "or", or an empty text', () => {
  assert.equal(didYouMean('--lisen', names), '; did you mean --listen?')
  assert.equal(didYouMean('--datbase', names), '; did you mean --database or --data?')
  assert.equal(didYouMean('--verbose', names), '')
})
