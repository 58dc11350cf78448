import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAcceptPace, createAdmission, createRefusalLog, createTurnPace, sourceOf } from './ssh-admission.ts'

test('sourceOf returns the whole IPv4 address or the /64 network of an IPv6 address', () => {
  assert.equal(sourceOf('::ffff:10.0.0.1'), sourceOf('10.0.0.1'))
  assert.notEqual(sourceOf('10.0.0.1'), sourceOf('10.0.0.2'))
  assert.equal(sourceOf('2001:db8::1'), sourceOf('2001:db8:0:0:ffff::1'))
  assert.notEqual(sourceOf('2001:db8:0:1::1'), sourceOf('2001:db8:0:2::1'))
  assert.equal(sourceOf('fe80::1%eth0'), sourceOf('fe80::2'))
  assert.equal(sourceOf('::1'), '0:0:0:0')
  assert.equal(sourceOf(undefined), 'local socket')
})

test('createAdmission admits a new connection and evicts the oldest unauthenticated one of its source, never an authenticated one', () => {
  const admission = createAdmission()
  const evicted: string[] = []
  const connect = (name: string, source: string) => {
    const slot = { source, evict: () => void evicted.push(name) }
    admission.admit(slot)
    return slot
  }
  admission.prove(connect('hub', 'here'))
  const early = connect('early elsewhere', 'elsewhere')
  for (let number = 1; number <= 257; number++) connect(`stranger ${number}`, 'here')
  assert.deepEqual(evicted, ['stranger 1'])
  for (let number = 1; number <= 255; number++) connect(`other ${number}`, `source ${number}`)
  assert.deepEqual(evicted, ['stranger 1'])
  connect('newest', 'new')
  assert.deepEqual(evicted, ['stranger 1', 'early elsewhere'])
  admission.remove(early)
  for (let number = 1; number <= 64; number++) admission.prove(connect(`hub ${number}`, 'hubs'))
  assert.ok(evicted.includes('hub') && !evicted.includes('hub 1'))
})

test('createRefusalLog logs once per minute and address', () => {
  const tells = createRefusalLog()
  assert.deepEqual([tells('a', 0), tells('a', 59_999), tells('b', 59_999), tells('a', 60_000)], [true, false, true, true])
  const told = Array.from({ length: 5000 }, (_, index) => tells(`flood ${index}`, 60_000)).filter(Boolean)
  assert.ok(told.length <= 1000)
})

test('createAcceptPace sleeps for the rest of its 20 ms period after 20 connections, and not after fewer', () => {
  let nowMs = 0
  const slept: number[] = []
  const accept = createAcceptPace(
    () => nowMs,
    (ms) => {
      slept.push(ms)
      nowMs += ms
    },
  )
  for (let count = 0; count < 10; count++) accept()
  nowMs = 5
  for (let count = 0; count < 9; count++) accept()
  assert.deepEqual(slept, [])
  accept()
  assert.deepEqual([slept, nowMs], [[15], 20])
  for (let count = 0; count < 1000; count++) accept()
  assert.equal(nowMs, 1020)
  nowMs = 2000
  for (let count = 0; count < 19; count++) accept()
  assert.equal(nowMs, 2000)
})

test('createTurnPace starts 10 tasks at once, then the others in order, without those that were cancelled', async () => {
  const pace = createTurnPace()
  const begun: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const takeBack = Array.from({ length: 14 }, (_, number) =>
    pace.begin('flood', () => {
      begun.push(number)
      if (number === 13) resolve()
    }),
  )
  pace.begin('hub', () => begun.push(-1))
  assert.deepEqual(begun, [...Array(10).keys(), -1])
  takeBack[11]?.()
  // The timers of the pace do not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  await promise
  clearInterval(alive)
  assert.deepEqual(begun.slice(11), [10, 12, 13])
})

test('createTurnPace starts a task at once when 2048 are waiting', () => {
  const pace = createTurnPace()
  let begun = 0
  const takeBack = Array.from({ length: 10 + 2048 + 5 }, () => pace.begin('flood', () => void begun++))
  assert.equal(begun, 15)
  for (const one of takeBack) one()
  pace.begin('flood', () => void begun++)
  assert.equal(begun, 15)
})
