import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSystem } from '../../../api/system-record.ts'
import { tagOverviews } from './tag-overview.ts'

const system = (id: string, tags: Readonly<Record<string, readonly string[]>>) =>
  readSystem({ id, tags: Object.keys(tags), tagSources: Object.entries(tags).map(([tag, sources]) => ({ tag, sources })) })

test('tagOverviews counts systems, grants, rules, keys and views of each tag, also of tags that no system has', () => {
  const found = tagOverviews({
    systems: [system('one', { 'env=prod': ['admin'], 'data center': ['rule'] }), system('two', { 'env=prod': ['agent'] })],
    grants: [{ id: 'g', tag: 'gone', holder: { kind: 'user', id: 'u' }, may: 'view' }],
    rules: [{ id: 'r', tag: 'data center', filter: 'x' }],
    named: {
      keyTags: [['env=prod', 'key'], []],
      viewSearches: ['filter=tag%3Aenv%3Dprod+web', 'sort=name', 'filter=tag%3A%22data+center%22', 'filter=tag%3Aenv%3Dprod2'],
    },
  })
  const none = { systems: 0, sources: [], grants: 0, rules: 0, keys: 0, views: 0 }
  assert.deepEqual(found, [
    { ...none, tag: 'data center', systems: 1, sources: ['rule'], rules: 1, views: 1 },
    { ...none, tag: 'env=prod', systems: 2, sources: ['admin', 'agent'], keys: 1, views: 1 },
    { ...none, tag: 'gone', grants: 1 },
    { ...none, tag: 'key', keys: 1 },
  ])
})
