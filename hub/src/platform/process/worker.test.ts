import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueFullError, QueueLateError } from '../work-queue.ts'
import { openWorker } from './worker.ts'

const thread = '../../accounts/passwords/bcrypt-thread'
const cheap = { password: 'correct horse', hash: '$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e' }
const costly = { ...cheap, hash: cheap.hash.replace('$04$', '$24$') }
const limits = { maxWaiting: 2, waitMs: 60_000, runMs: 60_000 }

test('openWorker responds in order, and refuses a request when too many are waiting', async () => {
  const worker = openWorker(thread, import.meta.url, limits)
  assert.equal(worker.isStarted(), false)
  const answers = [cheap, { ...cheap, password: 'other' }, cheap].map((request) => worker.ask(request))
  await assert.rejects(worker.ask(cheap), QueueFullError)
  assert.deepEqual(await Promise.all(answers), [true, false, true])
  assert.equal(worker.isStarted(), true)
  await worker.close()
})

test('openWorker rejects with the error of the thread, and processes the next request', async () => {
  const worker = openWorker(thread, import.meta.url, limits)
  const failing = worker.ask({})
  const next = worker.ask(cheap)
  await assert.rejects(failing, { name: 'TypeError', message: 'Cannot check a password: the request is incomplete' })
  assert.equal(await next, true)
  await worker.close()
})

test('openWorker ends a thread that takes too long, and starts a new thread for the next request', async () => {
  // Long enough for the cheap request on a busy machine; the costly one would take minutes.
  const worker = openWorker(thread, import.meta.url, { ...limits, runMs: 2000 })
  const late = worker.ask(costly)
  const next = worker.ask(cheap)
  await assert.rejects(late, QueueLateError)
  assert.equal(await next, true)
  await worker.close()
})

test('openWorker.close rejects all current and later requests with its reason', async () => {
  const worker = openWorker(thread, import.meta.url, limits)
  const reason = new Error('the hub stops')
  const all = [costly, cheap].map((request) => assert.rejects(worker.ask(request), reason))
  await worker.close(reason)
  await Promise.all(all)
  await assert.rejects(worker.ask(cheap), reason)
})

test('openWorker rejects requests when its module cannot be loaded', async () => {
  const worker = openWorker('missing-thread', import.meta.url, limits)
  await assert.rejects(worker.ask(cheap), /Cannot find module/)
  await worker.close()
})
