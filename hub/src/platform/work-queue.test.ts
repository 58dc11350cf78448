import fc from 'fast-check'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueFullError, QueueLateError, workQueue } from './work-queue.ts'

test('workQueue: work beyond the limit is refused, until earlier work ends', async () => {
  const run = workQueue({ atOnce: 2, mostWaiting: 3, withinMs: 60_000 })
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const done = works.map(({ promise }) => run(() => promise))
  await assert.rejects(
    run(async () => 6),
    QueueFullError,
  )
  works[0]?.resolve(1)
  assert.equal(await done[0], 1)
  const sixth = run(async () => 6)
  for (const [at, { resolve }] of works.entries()) resolve(at + 1)
  assert.deepEqual(await Promise.all([...done, sixth]), [1, 2, 3, 4, 5, 6])
})

test('workQueue: work that does not end within the time is rejected, and occupies its slot until it ends', async () => {
  const run = workQueue({ atOnce: 1, mostWaiting: 5, withinMs: 50 })
  const { promise: never, resolve } = Promise.withResolvers<void>()
  const first = run(() => never)
  const second = run(async () => assert.fail('it has no place'))
  await Promise.all([assert.rejects(first, QueueLateError), assert.rejects(second, QueueLateError)])
  resolve()
  await never
  assert.equal(await run(async () => 'again'), 'again')
})

test('workQueue: at most `atOnce` works run at the same time, start in order, and return their own results', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 30 }),
      async (atOnce, works) => {
        const run = workQueue({ atOnce, mostWaiting: 100, withinMs: 60_000 })
        const begun: number[] = []
        let running = 0
        const all = works.map(([turns, fails], at) =>
          run(async () => {
            begun.push(at)
            running += 1
            assert.ok(running <= atOnce)
            for (let turn = 0; turn < turns; turn++) await Promise.resolve()
            running -= 1
            if (fails) throw new Error(`${at}`)
            return `${at}`
          }).catch((error: unknown) => (error instanceof Error ? error.message : '')),
        )
        assert.deepEqual(
          await Promise.all(all),
          works.map((_, at) => `${at}`),
        )
        assert.deepEqual(
          begun,
          works.map((_, at) => at),
        )
      },
    ),
  )
})
