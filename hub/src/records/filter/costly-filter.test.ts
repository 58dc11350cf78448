import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collections, records } from '../../../test/filter-scene.ts'
import { relatedInMemory } from '../../../test/related-in-memory.ts'
import { loadRelated, matcher } from './matches.ts'
import { resolver } from './resolve.ts'

const facts = { context: 'default', method: 'GET', query: {}, headers: {} } as const

test('a filter may take 100,000 steps per record by default', async () => {
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

test('a filter that passes between collections repeatedly loads each record once', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `r${at}`)
  const machines = ids.map((id) => ({ id, name: 'x', users: ids }))
  const people = ids.map((id) => ({ id, name: 'x' }))
  const resolving = resolver(collections.find('machines') ?? assert.fail(), { collections, facts, nowMs: 0 })
  const back = 'users.machines_via_users'
  const plan = resolving.plan(resolving.condition(`${back}.${back}.${back}.name ?= "y"`, 'everything'))
  const source = relatedInMemory({ machines, people })
  const asked: number[] = []
  await loadRelated(plan.joins, machines, {
    ...source,
    loadMany: (collection, many) => (asked.push(many.length), source.loadMany(collection, many)),
    loadReferring: (collection, field, many) => (asked.push(many.length), source.loadReferring(collection, field, many)),
  })
  assert.deepEqual(new Set(asked), new Set([30]))
})
