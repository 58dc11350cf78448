import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { pollQueue } from './poll-queue.ts'

test('pollQueue runs work in order, in smaller groups while the hub is late, and never after stop', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  let nowMs = 0
  const pass = (ms: number, lateMs = 0): void => {
    nowMs += ms + lateMs
    mock.timers.tick(ms)
  }
  const went: number[] = []
  const { add, stop } = pollQueue(() => nowMs)
  for (let at = 0; at < 100; at++) add(() => went.push(at))
  assert.equal(went.length, 0)
  pass(10)
  assert.equal(went.length, 32)
  pass(10, 51)
  assert.equal(went.length, 36)
  pass(10, 50)
  assert.equal(went.length, 68)
  add(() => went.push(100))
  stop()
  pass(1000)
  assert.deepEqual(
    went,
    Array.from({ length: 68 }, (_, at) => at),
  )
})

test('pollQueue runs work of addLast when no other work waits', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  context.after(() => mock.timers.reset())
  const went: string[] = []
  const { add, addLast } = pollQueue(() => 0)
  addLast(() => {
    went.push('drives')
    add(() => went.push('a later poll'))
  })
  for (let at = 0; at < 33; at++) add(() => went.push('poll'))
  mock.timers.tick(10)
  assert.deepEqual(new Set(went), new Set(['poll']))
  mock.timers.tick(10)
  assert.equal(went.length, 33)
  mock.timers.tick(10)
  mock.timers.tick(10)
  assert.deepEqual(went.slice(33), ['drives', 'a later poll'])
})
