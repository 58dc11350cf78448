import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEach } from './on-each.ts'

test('onEach runs once for each entry despite failures, and returns the failures in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (fates) => {
      const items = fates.map((fails, index) => ({ fails, index }))
      const acted: number[] = []
      const progress: number[] = []
      const failures = await onEach(
        items,
        async ({ fails, index }) => {
          acted.push(index)
          await Promise.resolve()
          if (fails) throw new Error(`${index}`)
        },
        (done) => progress.push(done),
      )
      assert.deepEqual(
        acted.toSorted((a, b) => a - b),
        items.map(({ index }) => index),
      )
      assert.deepEqual(
        progress,
        items.map((_, index) => index + 1),
      )
      assert.deepEqual(
        failures.map(({ item }) => item),
        items.filter(({ fails }) => fails),
      )
      for (const { item, error } of failures) assert.match(String(error), new RegExp(`: ${item.index}$`))
    }),
  )
})

test('onEach runs at most four requests concurrently', async () => {
  let under = 0
  let most = 0
  await onEach(
    Array.from({ length: 50 }),
    async () => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setImmediate(resolve))
      under--
    },
    () => undefined,
  )
  assert.equal(most, 4)
})
