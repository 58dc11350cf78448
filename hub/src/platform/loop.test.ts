import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop, untilDue } from './loop.ts'

test('startLoop runs at once, again while work is left and when woken, and never twice at the same time', async () => {
  const waits = [0, undefined, undefined]
  let running = 0
  const seen: number[] = []
  const loop = startLoop({
    work: async () => {
      running += 1
      seen.push(running)
      await Promise.resolve()
      running -= 1
      return waits.shift()
    },
    onError: (error) => assert.ifError(error),
  })
  await loop.settled()
  assert.deepEqual(seen, [1, 1])
  loop.wake()
  loop.wake()
  await loop.settled()
  assert.deepEqual(seen, [1, 1, 1, 1])
  await loop[Symbol.asyncDispose]()
  loop.wake()
  await loop.run()
  assert.equal(seen.length, 4)
})

test('startLoop waits for the time that a run returns, and for retryMs after a failure', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const errors: unknown[] = []
  let worked = 0
  await using loop = startLoop({
    firstMs: 1000,
    retryMs: 60_000,
    work: async () => {
      worked += 1
      if (worked === 2) throw new Error('away')
      return 5000
    },
    onError: (error) => errors.push(error),
  })
  for (const [passMs, runs] of [
    [999, 0],
    [1, 1],
    [5000, 2],
    [59_999, 2],
    [1, 3],
  ] as const) {
    context.mock.timers.tick(passMs)
    await loop.settled()
    assert.equal(worked, runs)
  }
  assert.equal(errors.length, 1)
})

test('startLoop keeps the earlier of two wake-ups, and a run replaces both', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let worked = 0
  const work = async (): Promise<undefined> => void (worked += 1)
  await using loop = startLoop({ firstMs: 60_000, work, onError: (error) => assert.ifError(error) })
  loop.wake(200)
  loop.wake(1000)
  context.mock.timers.tick(200)
  await loop.settled()
  assert.equal(worked, 1)
  context.mock.timers.tick(60_000)
  assert.equal(worked, 1)
})

test('startLoop runs once more when a delayed wake is due during a run, and later wakes still count', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const first = Promise.withResolvers<undefined>()
  let worked = 0
  const work = (): Promise<undefined> => {
    worked += 1
    return worked === 1 ? first.promise : Promise.resolve(undefined)
  }
  await using loop = startLoop({ work, onError: (error) => assert.ifError(error) })
  loop.wake(200)
  context.mock.timers.tick(200)
  assert.equal(worked, 1)
  first.resolve(undefined)
  await loop.settled()
  assert.equal(worked, 2)
  loop.wake(200)
  context.mock.timers.tick(200)
  await loop.settled()
  assert.equal(worked, 3)
})

test('startLoop aborts the current run when it closes, and waits for its end', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let given: AbortSignal | undefined
  const loop = startLoop({
    work: (signal) => {
      given = signal
      return promise
    },
    onError: (error) => assert.ifError(error),
  })
  const closed = loop[Symbol.asyncDispose]()
  assert.equal(given?.aborted, true)
  resolve(undefined)
  await closed
})

test('untilDue returns at least 1 ms and at most 1 min', () => {
  assert.deepEqual(
    [undefined, 500, 1500, 900_000].map((dueMs) => untilDue(1000, dueMs)),
    [undefined, 1, 500, 60_000],
  )
})
