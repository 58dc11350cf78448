import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCrosshair, nearestIndex } from './crosshair.ts'

test('nearestIndex is the index of a nearest time', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.integer(), (unsorted, at) => {
      const times = unsorted.toSorted((a, b) => a - b)
      const index = nearestIndex(times, at)
      assert.ok(index !== undefined)
      const distance = Math.abs((times[index] ?? Number.NaN) - at)
      assert.equal(distance, Math.min(...times.map((time) => Math.abs(time - at))))
    }),
  )
})

test('createCrosshair notifies subscribers once per move, and not after they unsubscribe', () => {
  const crosshair = createCrosshair()
  const moves: (number | undefined)[] = []
  const leave = crosshair.follow((at) => moves.push(at))
  crosshair.move(5)
  crosshair.move(5)
  crosshair.move(undefined)
  leave()
  crosshair.move(7)
  assert.deepEqual(moves, [5, undefined])
})

test('nearestIndex is the earlier of two equally near times, and undefined without times', () => {
  const times = [10, 20, 30, 40]
  assert.deepEqual(
    [0, 10, 14, 15, 16, 25, 30, 35.5, 99].map((at) => nearestIndex(times, at)),
    [0, 0, 0, 0, 1, 1, 2, 3, 3],
  )
  assert.equal(nearestIndex([], 5), undefined)
  assert.equal(nearestIndex([7], 5), 0)
})

test('createCrosshair returns its current position', () => {
  const crosshair = createCrosshair()
  assert.equal(crosshair.at(), undefined)
  crosshair.move(5)
  assert.equal(crosshair.at(), 5)
})
