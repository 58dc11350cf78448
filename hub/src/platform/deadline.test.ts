import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost, withDeadline } from './deadline.ts'

const late = (): Error => new RangeError('late')
const never = new Promise<never>(() => {})

test('withDeadline resolves and rejects like its promise', async () => {
  assert.equal(await withDeadline(60_000, Promise.resolve(7), late), 7)
  await assert.rejects(withDeadline(60_000, Promise.reject(new Error('broken')), late), /broken/)
})

test('withDeadline rejects when the time is over, and handles a later rejection of its promise', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await assert.rejects(withDeadline(1, promise, late), /late/)
  reject(new Error('much later'))
  await new Promise((resolve) => setImmediate(resolve))
})

test('atMost resolves when its promise settles or the time is over', async () => {
  await atMost(60_000, Promise.resolve())
  await atMost(60_000, Promise.reject(new Error('broken')))
  await atMost(1, never)
})
