import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchQueue } from './batch-queue.ts'

/** A store that records its batches, and finishes each one on request. */
function slowStore({
  poison = '',
  apartMs = () => 0,
  companyMs = 0,
}: { poison?: string; apartMs?: () => number; companyMs?: number } = {}) {
  const batches: (readonly string[])[] = []
  const gates: (() => void)[] = []
  const { add, settled, waiting } = batchQueue<string, string>({
    keyOf: (item) => item.slice(0, 1),
    store: async (batch) => {
      batches.push(batch)
      await new Promise<void>((resolve) => gates.push(resolve))
      if (batch.includes(poison)) throw new Error(`Cannot store ${poison}`)
      return batch.map((item) => `${item} is stored`)
    },
    pace: () => ({ apartMs: apartMs(), companyMs }),
    isUrgent: (item) => item.endsWith('!'),
    isFaultOfOne: (error) => error instanceof Error && !error.message.endsWith('away'),
    nowMs: () => performance.now(),
  })
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    add,
    settled,
    waiting,
    batches,
    /** Finishes batches until no new one begins. */
    async finish() {
      do {
        gates.shift()?.()
        await turn()
        await turn()
      } while (gates.length > 0)
    },
    turn,
  }
}

test('batchQueue stores items together that arrive together or during the previous batch', async () => {
  const store = slowStore()
  const outcomes = [store.add('a1'), store.add('b1')]
  await store.turn()
  outcomes.push(store.add('c1'), store.add('d1'))
  await store.turn()
  assert.deepEqual(store.batches, [['a1', 'b1']])
  await store.finish()
  assert.deepEqual(store.batches, [
    ['a1', 'b1'],
    ['c1', 'd1'],
  ])
  assert.deepEqual(await Promise.all(outcomes), ['a1 is stored', 'b1 is stored', 'c1 is stored', 'd1 is stored'])
})

test('batchQueue stores an urgent item at once, together with all waiting items', async () => {
  const store = slowStore({ apartMs: () => 1e9, companyMs: 1e9 })
  const outcomes = [store.add('a1'), store.add('b1')]
  await store.turn()
  assert.deepEqual(store.batches, [])
  outcomes.push(store.add('c!'), store.add('d1'))
  await store.turn()
  assert.deepEqual(store.batches, [['a1', 'b1', 'c!', 'd1']])
  await store.finish()
  outcomes.push(store.add('e1'), store.add('e!'))
  await store.turn()
  await store.finish()
  assert.deepEqual(store.batches.slice(1), [['e1'], ['e!']])
  await Promise.all(outcomes)
})

test('batchQueue puts at most one item per key into a batch, and keeps the order per key', async () => {
  const store = slowStore()
  const outcomes = Promise.all([store.add('a1'), store.add('a2'), store.add('b1'), store.add('a3')])
  await store.turn()
  await store.finish()
  await outcomes
  assert.deepEqual(store.batches, [['a1', 'b1'], ['a2'], ['a3']])
})

test('batchQueue stores the other items one by one when an item makes its batch fail', async () => {
  const store = slowStore({ poison: 'b1' })
  const outcomes = Promise.allSettled([store.add('a1'), store.add('b1'), store.add('c1')])
  await store.turn()
  await store.finish()
  assert.deepEqual(
    (await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
    ['a1 is stored', 'Error: Cannot store b1', 'c1 is stored'],
  )
  assert.deepEqual(store.batches, [['a1', 'b1', 'c1'], ['a1'], ['b1'], ['c1']])
})

test('batchQueue waits between batches, but not after settled was called', async () => {
  const store = slowStore({ apartMs: () => 3_600_000 })
  const first = store.add('a1')
  await store.turn()
  await store.finish()
  assert.equal(await first, 'a1 is stored')
  const second = store.add('b1')
  await store.turn()
  assert.equal(store.batches.length, 1)
  const settled = store.settled()
  await store.turn()
  await store.finish()
  await settled
  assert.equal(await second, 'b1 is stored')
})

test('batchQueue uses a shorter wait at once when a new item arrives', async () => {
  let apartMs = 3_600_000
  const store = slowStore({ apartMs: () => apartMs })
  const first = store.add('a1')
  await store.turn()
  await store.finish()
  await first
  const second = store.add('b1')
  await store.turn()
  apartMs = 0
  const third = store.add('c1')
  await store.turn()
  await store.finish()
  await Promise.all([second, third])
  assert.deepEqual(store.batches, [['a1'], ['b1', 'c1']])
})

test('batchQueue waits for more items after the first item, but not after settled was called', async () => {
  const store = slowStore({ companyMs: 3_600_000 })
  const outcomes = Promise.all([store.add('a1'), store.add('b1')])
  await store.turn()
  assert.deepEqual(store.batches, [])
  const settled = store.settled()
  await store.turn()
  await store.finish()
  await Promise.all([outcomes, settled])
  assert.deepEqual(store.batches, [['a1', 'b1']])
})

test('batchQueue.waiting includes the items of the running batch', async () => {
  const store = slowStore()
  const outcomes = [store.add('a1'), store.add('b1')]
  await store.turn()
  outcomes.push(store.add('c1'))
  assert.deepEqual([store.batches.length, store.waiting()], [1, 3])
  await store.finish()
  await Promise.all(outcomes)
  assert.equal(store.waiting(), 0)
})
