import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDueLoop } from './due-loop.ts'

test('startDueLoop works at once, again while there is more, and when woken; never twice at once', async () => {
  const left = [true, false, false]
  let running = 0
  const seen: number[] = []
  const loop = startDueLoop({
    clock: { now: () => 0 },
    work: async () => {
      running += 1
      seen.push(running)
      await Promise.resolve()
      running -= 1
      return left.shift() ?? false
    },
    nextDueMs: async () => undefined,
    onError: (error) => assert.ifError(error),
  })
  await loop.settled()
  assert.deepEqual(seen, [1, 1])
  loop.wake()
  loop.wake()
  await loop.settled()
  assert.deepEqual(seen, [1, 1, 1])
  await loop.close()
  loop.wake()
  await loop.settled()
  assert.equal(seen.length, 3)
})

test('startDueLoop works when something falls due, and says what fails', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const errors: unknown[] = []
  let worked = 0
  const loop = startDueLoop({
    clock: { now: () => nowMs },
    work: async () => {
      worked += 1
      if (worked === 2) throw new Error('away')
      return false
    },
    nextDueMs: async () => 5000,
    onError: (error) => errors.push(error),
  })
  await loop.settled()
  nowMs = 5000
  context.mock.timers.tick(5000)
  await loop.settled()
  assert.deepEqual([worked, errors.length], [2, 1])
  context.mock.timers.tick(60_000)
  await loop.settled()
  assert.equal(worked, 3)
})
