import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost, withDeadline } from './deadline.ts'

const late = (): Error => new RangeError('late')
const never = new Promise<never>(() => {})

test('withDeadline settles as the work does', async () => {
  assert.equal(await withDeadline(60_000, Promise.resolve(7), late), 7)
  await assert.rejects(withDeadline(60_000, Promise.reject(new Error('broken')), late), /broken/)
})

test('withDeadline gives up work that does not end; a failure that comes afterwards is nobody’s', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await assert.rejects(withDeadline(1, promise, late), /late/)
  reject(new Error('much later'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('atMost waits for work, whatever becomes of it, and not for ever', async () => {
  await atMost(60_000, Promise.resolve())
  await atMost(60_000, Promise.reject(new Error('broken')))
  await atMost(1, never)
})
