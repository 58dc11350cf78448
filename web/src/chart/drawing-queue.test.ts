import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createDrawingQueue } from './drawing-queue.ts'

/** A runtime in which time passes only during drawing. The test runs its tasks one at a time. */
function turns() {
  let now = 0
  const tasks: (() => void)[] = []
  const drawn: string[] = []
  const queueDrawing = createDrawingQueue({ now: () => now, post: (job) => void tasks.push(job) })
  return {
    drawn,
    draw: (name: string, tookMs: number) =>
      queueDrawing(() => {
        now += tookMs
        drawn.push(name)
      }),
    task: () => tasks.shift()?.(),
    now: () => now,
  }
}

test('queueDrawing draws at once until its time slice ends, and the rest in later tasks, in order', () => {
  const { drawn, draw, task } = turns()
  for (const name of ['a', 'b', 'c', 'd', 'e']) draw(name, 30)
  assert.deepEqual(drawn, ['a', 'b'])
  task()
  assert.deepEqual(drawn, ['a', 'b', 'c', 'd'])
  task()
  task()
  assert.deepEqual(drawn, ['a', 'b', 'c', 'd', 'e'])
  draw('f', 1)
  assert.equal(drawn.at(-1), 'f')
})

test('queueDrawing drops a drawing that was cancelled before its turn', () => {
  const { drawn, draw, task } = turns()
  draw('a', 60)
  const takeBack = draw('b', 1)
  draw('c', 1)
  takeBack()
  task()
  assert.deepEqual(drawn, ['a', 'c'])
})

test('queueDrawing draws everything once, in order, and starts no drawing after the time slice of a task', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 30 }), (costs) => {
      const { drawn, draw, task, now } = turns()
      costs.forEach((cost, index) => draw(`${index}`, cost))
      while (drawn.length < costs.length) {
        const before = now()
        const count = drawn.length
        task()
        assert.ok(now() - before < 50 + 50)
        assert.ok(drawn.length > count || now() === before)
      }
      assert.deepEqual(
        drawn,
        costs.map((_, index) => `${index}`),
      )
    }),
  )
})
