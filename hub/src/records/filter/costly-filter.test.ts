import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections, records } from '../../../test/filter-scene.ts'
import { relatedInMemory } from '../../../test/related-in-memory.ts'
import { matcher } from './matches.ts'
import { loadRelated } from './related.ts'
import { resolver } from './resolve.ts'

const facts = { context: 'default', method: 'GET', query: {}, headers: {} } as const

test('a filter has 100,000 steps for a record unless it is given others', async () => {
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts, nowMs: 0 })
  const plan = resolving.plan(resolving.condition('@collection.people:a.name ?= @collection.people:b.id', 'everything'))
  const [web] = records['machines'] ?? []
  assert.ok(web)
  const matchesAmong = async (count: number): Promise<boolean> => {
    const people = Array.from({ length: count }, (_, at) => ({ id: `p${at}`, name: 'x' }))
    return matcher(plan)(web, await loadRelated(plan.joins, [web], relatedInMemory({ people })))
  }
  assert.equal(await matchesAmong(223), false)
  await assert.rejects(matchesAmong(224), { name: 'FilterError', message: /too much work/ })
})
