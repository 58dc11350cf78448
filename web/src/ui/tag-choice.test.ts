import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseTags, noTagChoice } from './tag-choice.ts'

test('chooseTags adds the tags of a text once', () => {
  assert.deepEqual(chooseTags(chooseTags({ ...noTagChoice, typed: 'x' }, 'a, b'), 'b'), { tags: ['a', 'b'], typed: '' })
})
