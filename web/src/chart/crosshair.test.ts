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

test('createCrosshair tells each move once, and none after leaving', () => {
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
