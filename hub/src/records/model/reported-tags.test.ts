import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { reportedTagFields, reportTags } from './reported-tags.ts'
import { changeTags, MOST_TAGS, tagFields, tagProblem, tagSources, type SourcedTag, type TagSource } from './tag.ts'

const tagged = (tag: string, ...sources: readonly TagSource[]): SourcedTag => ({ tag, sources })
const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `t${index}`)

const cases: readonly (readonly [name: string, before: readonly SourcedTag[], texts: readonly string[], after: readonly SourcedTag[]])[] = [
  ['sets its tags', [], ['a', 'env=prod'], [tagged('a', 'agent'), tagged('env=prod', 'agent')]],
  ['sends a tag twice', [], [' a', 'a '], [tagged('a', 'agent')]],
  ['no longer sends a tag', [tagged('a', 'agent')], [], []],
  ['no longer sends a tag that an admin accepted', [tagged('a', 'admin', 'agent')], [], [tagged('a', 'admin')]],
  ['sends the tag of a person', [tagged('a', 'person')], ['a'], [tagged('a', 'person', 'agent')]],
  ['sends texts that are no tags', [], ['', ' ', 'a,b', 'x"', 'y\tz', '\0', 'z'.repeat(65), 'good'], [tagged('good', 'agent')]],
  ['sends hostile names', [], ['__proto__', 'constructor'], [tagged('__proto__', 'agent'), tagged('constructor', 'agent')]],
]

for (const [name, before, texts, after] of cases)
  test(`reportTags of an agent that ${name}`, () => assert.deepEqual(reportTags(before, 'agent', texts), after))

test('reportTags keeps at most 50 tags, and those of other sources before those of the agent', () => {
  const before = changeTags([], { added: ['mine'], removed: [] }, 'admin').tags
  const after = reportTags(before, 'agent', numbered(10_000))
  assert.equal(after.length, MOST_TAGS)
  assert.deepEqual(after[0], tagged('mine', 'admin'))
})

test('reportTags never changes the sources of others, so that no report gives or takes access', () => {
  const text = fc.oneof(fc.constantFrom('a', 'b', 'env=prod', '__proto__'), fc.string({ maxLength: 70 }))
  const tags = fc.uniqueArray(
    fc.record({ tag: fc.constantFrom('a', 'b', 'c', 'env=prod', '__proto__'), sources: fc.subarray([...tagSources], { minLength: 1 }) }),
    { selector: ({ tag }) => tag },
  )
  fc.assert(
    fc.property(tags, fc.array(text), (before, texts) => {
      const after = reportTags(before, 'agent', texts)
      const others = (all: readonly SourcedTag[]) =>
        new Map(
          all
            .map(({ tag, sources }) => [tag, sources.filter((one) => one !== 'agent')] as const)
            .filter(([, sources]) => sources.length > 0),
        )
      assert.deepEqual(others(after), others(before))
      assert.deepEqual(tagFields(after).accessTags, tagFields(before).accessTags)
      assert.ok(after.every(({ tag }) => tagProblem(tag) === undefined || before.some((one) => one.tag === tag)))
      assert.deepEqual(reportTags(after, 'agent', texts), after)
    }),
  )
})

test('reportedTagFields is empty if no tag changes', () => {
  const system = { id: 'one', ...tagFields([tagged('a', 'agent')]) }
  assert.deepEqual(reportedTagFields(system, 'agent', ['a', 'a']), {})
  assert.deepEqual(reportedTagFields(system, 'agent', []), { tags: [], tagSources: null, accessTags: [] })
})
