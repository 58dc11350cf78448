import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sparklinePath } from './sparkline-model.ts'

test('sparklinePath is empty without points', () => assert.deepEqual(sparklinePath([], 84, 22), { line: '', area: '' }))

test('sparklinePath draws an idle system as a low line, without noise', () => {
  const { line } = sparklinePath(
    [0, 1 / 60].map((position) => ({ position, percent: 1 })),
    84,
    22,
  )
  assert.equal(line, 'M0 20.2L1.4 20.2')
})

test('sparklinePath closes the area of each stroke', () => {
  const points = [0, 1 / 60, 0.5].map((position) => ({ position, percent: 25 }))
  assert.equal(sparklinePath(points, 60, 13).area, 'M0 13L0 2L1 2V13ZM30 13L30 2V13Z')
})

test('sparklinePath starts a new stroke after a gap', () => {
  const { line } = sparklinePath(
    [0, 1 / 60, 0.5].map((position) => ({ position, percent: 50 })),
    84,
    22,
  )
  assert.equal(line.split('M').length - 1, 2)
})
