import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concurrencyLimit } from './concurrency-limit.ts'

/** Work that ends on request. `started` has the names of the started work, in order. */
function bench(atOnce: number) {
  const turn = concurrencyLimit(atOnce)
  const started: string[] = []
  function begin(source: string, name: string) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const result = turn(source, () => {
      started.push(name)
      return promise
    })
    return { result, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
  return { started, begin }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('concurrencyLimit: each source runs a limited number at once, and further work waits in order', async () => {
  const { started, begin } = bench(2)
  const all = ['a', 'b', 'c', 'd'].map((name) => begin('one', name))
  assert.deepEqual(started, ['a', 'b'])
  all[1]?.end()
  assert.equal(await all[1]?.result, 'b')
  // It starts only after the event loop had a turn for other work.
  assert.deepEqual(started, ['a', 'b'])
  await nextTurn()
  assert.deepEqual(started, ['a', 'b', 'c'])
})

test('concurrencyLimit: the work of a source does not wait for another source', async () => {
  const { started, begin } = bench(1)
  for (const name of ['a', 'b', 'c']) begin('one', name)
  const other = begin('two', 'x')
  assert.deepEqual(started, ['a', 'x'])
  other.end()
  assert.equal(await other.result, 'x')
})

test('concurrencyLimit: new work does not overtake waiting work', async () => {
  const { started, begin } = bench(1)
  const [first] = ['a', 'b'].map((name) => begin('one', name))
  first?.end()
  await first?.result
  begin('one', 'late')
  await nextTurn()
  assert.deepEqual(started, ['a', 'b'])
})

test('concurrencyLimit: failed work frees its slot for the next work', async () => {
  const { started, begin } = bench(1)
  const [first] = ['a', 'b'].map((name) => begin('one', name))
  first?.fail()
  await assert.rejects(async () => first?.result, /^Error: a$/)
  await nextTurn()
  assert.deepEqual(started, ['a', 'b'])
})
