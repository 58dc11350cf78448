import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyTagDraft, mayRemove, mayWithdraw, tagChangeOf, withAcceptance, withAdded, withRemoved, withWithdrawal } from './tag-draft.ts'
import type { TagSource } from './system-tags.ts'

const tag = (text: string, ...sources: readonly TagSource[]) => ({ text, sources })
const present = [tag('db', 'admin'), tag('rack=4', 'agent')]

test('withAdded adds new tags once, and leaves out tags of the system', () => {
  assert.deepEqual(withAdded(withAdded(emptyTagDraft, ['a', 'db'], present), ['a', 'b'], present).added, ['a', 'b'])
})

test('withRemoved takes an added tag out, and marks a tag of the system; withAdded keeps the latter again', () => {
  const draft = withRemoved(withRemoved(withAdded(emptyTagDraft, ['a'], present), 'a'), 'db')
  assert.deepEqual([draft.added, draft.removed], [[], ['db']])
  assert.deepEqual(tagChangeOf(withAdded(draft, ['db'], present)), {})
})

test('tagChangeOf adds new and accepted tags, and removes the others', () => {
  const draft = withRemoved(withAcceptance(withAdded(emptyTagDraft, ['a'], present), 'rack=4', true), 'db')
  assert.deepEqual(tagChangeOf(draft), { 'tags+': ['a', 'rack=4'], 'tags-': ['db'] })
  assert.deepEqual(tagChangeOf(withAcceptance(draft, 'rack=4', false)), { 'tags+': ['a'], 'tags-': ['db'] })
  assert.deepEqual(tagChangeOf(withRemoved(draft, 'rack=4')), { 'tags+': ['a'], 'tags-': ['db', 'rack=4'] })
})

test('withWithdrawal removes the sources of an admin from a tag that stays', () => {
  const draft = withWithdrawal(withRemoved(emptyTagDraft, 'db'), 'rack=4', true)
  assert.deepEqual(tagChangeOf(draft), { 'tags-': ['db', 'rack=4'] })
  assert.deepEqual(tagChangeOf(withWithdrawal(draft, 'rack=4', false)), { 'tags-': ['db'] })
  const accepted = tag('rack=4', 'admin', 'agent')
  assert.deepEqual([mayWithdraw(accepted, 'admin'), mayWithdraw(accepted, 'user')], [true, false])
  for (const other of [tag('db', 'admin'), tag('db', 'agent'), tag('db', 'admin', 'person')])
    assert.equal(mayWithdraw(other, 'admin'), false)
})

for (const [sources, admin, user] of [
  [['person'], true, true],
  [['admin'], true, false],
  [['token', 'person'], true, false],
  [['agent'], false, false],
  [['admin', 'rule'], false, false],
  [[], true, true],
] as const) {
  test(`mayRemove for a tag with the sources [${sources.join()}]`, () => {
    assert.deepEqual(
      [mayRemove(tag('x', ...sources), 'admin'), mayRemove(tag('x', ...sources), 'user'), mayRemove(tag('x', ...sources), 'readonly')],
      [admin, user, false],
    )
  })
}
