import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admits, claimedLease, endsLease, handedOver, heirOf, inheritedLease } from './lease-rules.ts'

test('claimedLease gives a new owner a new epoch, and the current owner its own epoch', () => {
  assert.deepEqual(claimedLease(undefined, 'a'), { hub: 'a', epoch: 1 })
  assert.deepEqual(claimedLease({ hub: 'a', epoch: 3 }, 'a'), { hub: 'a', epoch: 3 })
  assert.deepEqual(claimedLease({ hub: 'a', epoch: 3 }, 'b'), { hub: 'b', epoch: 4 })
})

test('inheritedLease takes a system from a hub that is gone, and from no living hub', () => {
  const isLiving = (hub: string): boolean => hub === 'a'
  assert.deepEqual(inheritedLease(undefined, 'b', isLiving), { hub: 'b', epoch: 1 })
  assert.deepEqual(inheritedLease({ hub: 'gone', epoch: 2 }, 'b', isLiving), { hub: 'b', epoch: 3 })
  assert.equal(inheritedLease({ hub: 'a', epoch: 2 }, 'b', isLiving), undefined)
  assert.equal(inheritedLease({ hub: 'b', epoch: 2 }, 'b', isLiving), undefined, 'its own')
})

test('handedOver moves a lease only if the caller owns it', () => {
  assert.deepEqual(handedOver({ hub: 'a', epoch: 2 }, 'a', 'b'), { hub: 'b', epoch: 3 })
  assert.equal(handedOver({ hub: 'c', epoch: 2 }, 'a', 'b'), undefined)
  assert.equal(handedOver(undefined, 'a', 'b'), undefined)
})

test('admits accepts a writer with the current lease only', () => {
  const lease = { hub: 'a', epoch: 2 }
  assert.ok(admits(lease, { hub: 'a', epoch: 2 }))
  for (const writer of [
    { hub: 'a', epoch: 1 },
    { hub: 'a', epoch: 3 },
    { hub: 'b', epoch: 2 },
  ])
    assert.ok(!admits(lease, writer))
  assert.ok(!admits(undefined, lease))
})

test('endsLease ignores a late report of an older claim', () => {
  assert.ok(endsLease(1, 2))
  assert.ok(!endsLease(2, 2))
  assert.ok(!endsLease(3, 2))
})

const systems = Array.from({ length: 3000 }, (_, index) => `system${index}`)
const hub = (id: string, isDraining = false) => ({ id, isDraining })
const three = [hub('a1'), hub('a2'), hub('a3')]

test('heirOf spreads systems evenly and does not depend on the order of the hubs', () => {
  const counts = Map.groupBy(systems, (system) => heirOf(system, three))
  for (const { id } of three) assert.ok(Math.abs((counts.get(id)?.length ?? 0) - 1000) < 100, `${id}: ${counts.get(id)?.length}`)
  assert.ok(systems.every((system) => heirOf(system, three) === heirOf(system, three.toReversed())))
  assert.equal(heirOf('x', []), undefined)
})

test('heirOf moves only the systems of a hub that ends or drains', () => {
  const rest = [hub('a1'), hub('a3')]
  const drained = [hub('a1'), hub('a2', true), hub('a3')]
  for (const system of systems) {
    const before = heirOf(system, three)
    if (before !== 'a2') assert.equal(heirOf(system, rest), before)
    else assert.notEqual(heirOf(system, rest), 'a2')
    assert.equal(heirOf(system, drained), heirOf(system, rest))
  }
  assert.equal(heirOf('x', [hub('a2', true)]), 'a2', 'a draining hub is better than none')
})
