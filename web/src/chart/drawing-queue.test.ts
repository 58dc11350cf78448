import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createDrawingQueue } from './drawing-queue.ts'

/** A runtime whose time passes only while something draws, and whose tasks run when they are told to. */
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

test('queueDrawing draws at once until the turn is over, the rest in tasks that follow, in order', () => {
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

test('queueDrawing forgets what is taken back before its turn', () => {
  const { drawn, draw, task } = turns()
  draw('a', 60)
  const takeBack = draw('b', 1)
  draw('c', 1)
  takeBack()
  task()
  assert.deepEqual(drawn, ['a', 'c'])
})

test('queueDrawing draws everything once, in order, and no task draws on after its turn', () => {
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
