import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson, inheritedName } from '../../../protocol/test/hostile-names.ts'
import { countTags, mayGiveAccess, keyOfTag, readTags, valueOfTag } from './system-tags.ts'

test('readTags reads each tag with its sources, in the order of the list', () => {
  const sources = [
    { tag: 'db', sources: ['agent', 'admin', 'martian'] },
    { tag: 'gone', sources: ['admin'] },
  ]
  assert.deepEqual(readTags(['db', 'env=prod'], sources), [
    { text: 'db', sources: ['admin', 'agent'] },
    { text: 'env=prod', sources: [] },
  ])
})

test('readTags of a record without tags is empty', () => {
  for (const tags of [undefined, null, [], '', 'db', {}, [1, '', null]]) assert.deepEqual(readTags(tags, []), [])
})

test('readTags of any values returns tags with texts and lists of sources', () => {
  const name = fc.oneof(inheritedName, fc.string({ minLength: 1 }))
  fc.assert(
    fc.property(
      fc.oneof(anyJson, fc.array(name)),
      fc.oneof(anyJson, fc.array(fc.record({ tag: name, sources: anyJson }))),
      (tags, sources) => {
        for (const tag of readTags(tags, sources)) assert.ok(tag.text !== '' && Array.isArray(tag.sources))
      },
    ),
  )
})

for (const [sources, expected] of [
  [[], false],
  [['agent'], false],
  [['person', 'rule'], false],
  [['agent', 'admin'], true],
  [['token'], true],
] as const) {
  test(`mayGiveAccess is ${expected} for a tag with the sources [${sources.join()}]`, () =>
    assert.equal(mayGiveAccess({ text: 'db', sources }), expected))
}

for (const [text, key, value] of [
  ['env=prod', 'env', 'prod'],
  ['a=b=c', 'a', 'b=c'],
  ['=x', '', 'x'],
  ['x=', 'x', ''],
  ['db', undefined, undefined],
] as const) {
  test(`keyOfTag and valueOfTag of "${text}"`, () => assert.deepEqual([keyOfTag(text), valueOfTag(text)], [key, value]))
}

test('countTags counts the systems of each tag, the most frequent first', () => {
  const systems = [['b', 'a'], ['a'], [], ['c', 'b', 'a']].map((texts) => ({ tags: readTags(texts, []) }))
  assert.deepEqual(
    [...countTags(systems)],
    [
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ],
  )
})
