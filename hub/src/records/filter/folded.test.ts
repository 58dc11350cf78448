import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections, records } from '../../../test/filter-scene.ts'
import { relatedInMemory } from '../../../test/related-in-memory.ts'
import { loadRelated, matcher, type Matches } from './matches.ts'
import { resolver } from './resolve.ts'

const alice = { actor: { id: 'alice' }, context: 'default', method: 'GET', query: {}, headers: {} } as const

function matcherOf(filter: string): Matches {
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts: alice, nowMs: 0 })
  return matcher(resolving.plan(resolving.condition(filter, 'everything')))
}

/** Filters with constants, and the ids of the machines that match them. */
const withConstants: readonly (readonly [filter: string, ...ids: string[]])[] = [
  ["@request.auth.id != '' && users.id ?= @request.auth.id", 'web', 'db'],
  ["@request.auth.id = '' && users.id ?= @request.auth.id"],
  ["@request.auth.id = '' || users.id ?= @request.auth.id", 'web', 'db'],
  ["(@request.auth.id = '' || 1 = 2) || name = 'db'", 'db'],
  ["(@request.auth.id = '' && name = 'web') || (1 = 1 && name = 'db')", 'db'],
  ['1 = 1 && (1 = 2 || 2 = 1)'],
  ['1 = 2 || (1 = 1 && 2 = 2)', 'web', 'db', 'new'],
  ["name:isset = 1 || name = 'db'", 'db'],
  ["users.id ?= @request.auth.id && users.id ?= 'bob'"],
  ["users.id ?= '' || users.id ?= 'bob'", 'web', 'new'],
]

for (const [filter, ...ids] of withConstants)
  test(`a filter with constants matches the same machines: ${filter}`, async () => {
    const matches = matcherOf(filter)
    const all = records['machines'] ?? []
    const related = await loadRelated(matches.joins, all, relatedInMemory(records))
    assert.deepEqual(
      all.filter((record) => matches(record, related)).map(({ id }) => id),
      ids,
    )
  })

test('a search for one id in a list needs no join, unless another comparison reads the same row', () => {
  const joinsFor = (filter: string): number => matcherOf(filter).joins.length
  assert.equal(joinsFor("@request.auth.id != '' && users.id ?= @request.auth.id"), 0)
  assert.equal(joinsFor("users.id ?= @request.auth.id && users.id ?!= 'bob'"), 1)
  assert.equal(joinsFor("users.id = 'alice'"), 1)
  assert.equal(joinsFor("users.id ?= 'alice' && users.name ?= 'x'"), 2)
  assert.equal(joinsFor("1 = 2 && users.name ?= 'x'"), 0)
})
