import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whenPresent } from './when-present.ts'

test('whenPresent loads its collector once, when its source first exists, and then forwards every call', async () => {
  let isThere = false
  let loads = 0
  const collector = whenPresent('things', {
    isPresent: () => isThere,
    lookEveryMs: 10,
    absence: 'there is none',
    load: async () => {
      loads++
      return { name: 'things', collect: ({ consumer }) => consumer, report: () => ({ found: 'one' }) }
    },
  })
  let atMs = 0
  const tick = (consumer: number) => ({ atMs, consumer })
  assert.equal(await collector.collect(tick(1)), undefined)
  assert.deepEqual(collector.report?.(), { skipped: [{ what: 'things', why: 'there is none' }] })
  isThere = true
  atMs = 9
  assert.equal(await collector.collect(tick(1)), undefined, 'a "no" stands for a while')
  atMs = 10
  assert.deepEqual(await Promise.all([collector.collect(tick(1)), collector.collect(tick(2))]), [1, 2])
  isThere = false
  assert.equal(await collector.collect(tick(3)), 3)
  assert.deepEqual([loads, collector.report?.()], [1, { found: 'one' }])
})

test('whenPresent loads its collector again after the load has failed', async () => {
  let loads = 0
  const collector = whenPresent('things', {
    isPresent: () => true,
    lookEveryMs: 10,
    absence: 'there is none',
    load: async () => {
      loads++
      if (loads === 1) throw new Error('not loaded')
      return { name: 'things', collect: () => 'read' }
    },
  })
  await assert.rejects(async () => collector.collect({ atMs: 0, consumer: 1 }), /not loaded/)
  assert.equal(await collector.collect({ atMs: 10, consumer: 1 }), 'read')
})
