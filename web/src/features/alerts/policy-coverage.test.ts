import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPolicyValues, type AlertPolicy } from '../../api/alert-policies.ts'
import type { SystemTag } from '../../api/system-tags.ts'
import { coverageOf } from './policy-coverage.ts'

const policy = (place: { tag?: string; systemId?: string; name?: string }, off?: boolean): AlertPolicy => ({
  id: JSON.stringify([place, off]),
  tag: '',
  systemId: '',
  name: 'CPU',
  target: undefined,
  values: { ...noPolicyValues, off },
  ...place,
})
const tag = (text: string, ...sources: SystemTag['sources']): SystemTag => ({ text, sources })
const prod = { id: 'prod', tags: [tag('env=prod', 'admin'), tag('zone=a', 'token')] }
const bare = { id: 'bare', tags: [tag('env=prod', 'agent')] }

const table: readonly (readonly [string, readonly AlertPolicy[], readonly string[]])[] = [
  ['no policy', [], []],
  ['all systems', [policy({})], ['prod', 'bare']],
  ['a tag that an admin or a token of an admin set', [policy({ tag: 'env=prod' })], ['prod']],
  ['one system', [policy({ systemId: 'bare' })], ['bare']],
  ['a tag is nearer than all systems', [policy({}), policy({ tag: 'env=prod' }, true)], ['bare']],
  ['a system is nearer than a tag', [policy({ tag: 'env=prod' }, true), policy({ systemId: 'prod' }, false)], ['prod']],
  ['of two tags, the first in the alphabet decides', [policy({ tag: 'zone=a' }, false), policy({ tag: 'env=prod' }, true)], []],
  ['a policy without a decision inherits that of a wider one', [policy({}, true), policy({ tag: 'env=prod' })], []],
]

for (const [name, policies, watched] of table)
  test(`systems that policies watch: ${name}`, () => {
    const { unwatched, counts } = coverageOf([prod, bare], [], policies)
    assert.deepEqual(
      [prod, bare].filter((system) => !unwatched.includes(system)).map(({ id }) => id),
      watched,
    )
    assert.equal(counts.get('CPU') ?? 0, watched.length)
  })

test('own rules and policies of one kind count a system once', () => {
  const { unwatched, counts } = coverageOf([prod, bare], [{ name: 'CPU', systemId: 'prod' }], [policy({}), policy({ name: 'Disk' }, true)])
  assert.deepEqual(unwatched, [])
  assert.deepEqual([...counts], [['CPU', 2]])
})
