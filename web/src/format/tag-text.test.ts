import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagProblem, tagsIn } from './tag-text.ts'

for (const [typed, tags] of [
  ['', []],
  [' , ,', []],
  [' env=prod ', ['env=prod']],
  ['a, b,a', ['a', 'b']],
  ['data center', ['data center']],
  ['e\u0301', ['\u00e9']],
] as const) {
  test(`tagsIn of ${JSON.stringify(typed)}`, () => assert.deepEqual(tagsIn(typed), tags))
}

for (const [text, problem] of [
  ['env=prod', undefined],
  ['x'.repeat(64), undefined],
  ['😀'.repeat(64), undefined],
  ['x'.repeat(65), 'tooLong'],
  ['a"b', 'badCharacter'],
  ['a\u0000', 'badCharacter'],
  ['a\tb', 'badCharacter'],
] as const) {
  test(`tagProblem of ${JSON.stringify(text.slice(0, 12))}`, () => assert.equal(tagProblem(text), problem))
}
