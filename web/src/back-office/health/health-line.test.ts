import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest, pathOf, roundTop, runsOf } from './health-line.ts'
import { readHealth } from './hub-health.ts'

const MINUTE_MS = 60_000
const answer = {
  fromMs: 0,
  toMs: 10 * MINUTE_MS,
  stepMs: MINUTE_MS,
  items: [
    { at: 0, cpuPercent: 1, databaseBytes: null },
    { at: MINUTE_MS, cpuPercent: 2, databaseBytes: 4096 },
    { at: 5 * MINUTE_MS, cpuPercent: 4 },
    { cpuPercent: 'no time' },
  ],
}

test('minutes that are missing part the line, and what nobody could tell is not 0', () => {
  const window = readHealth(answer)
  assert.deepEqual(runsOf(window, 'cpuPercent', 4), [
    [
      { x: 0, y: 0.75 },
      { x: 0.1, y: 0.5 },
    ],
    [{ x: 0.5, y: 0 }],
  ])
  assert.deepEqual(runsOf(window, 'databaseBytes', 4096), [[{ x: 0.1, y: 0 }]])
  assert.deepEqual(runsOf(window, 'agents', 1), [])
  assert.deepEqual(runsOf(readHealth(null), 'agents', 1), [])
})

test('a line is a path, a value that stands alone a dot', () => {
  const [line = [], dot = []] = runsOf(readHealth(answer), 'cpuPercent', 4)
  assert.equal(pathOf(line), 'M0.00000 0.7500L0.10000 0.5000')
  assert.equal(pathOf(dot), 'M0.50000 0.0000h0')
})

test('the nearest measurement is found from any place', () => {
  const window = readHealth(answer)
  assert.deepEqual(
    [0, 0.09, 0.29, 0.31, 1].map((share) => nearest(window, share)),
    [0, 1, 1, 2, 2],
  )
  assert.equal(nearest(readHealth(null), 0.5), undefined)
})

test('scales end at round numbers', () => {
  assert.deepEqual(
    [0, 0.7, 1, 1.2, 3, 7, 99].map((most) => roundTop(most, false)),
    [1, 1, 1, 2, 5, 10, 100],
  )
  assert.deepEqual(
    [0, 1000, 1024, 80_000_000].map((most) => roundTop(most, true)),
    [1, 1024, 1024, 134_217_728],
  )
})

test('senders of forwarding headers are read, and nothing is made of what is none', () => {
  const told = [{ address: '192.0.2.1', header: 'x-real-ip', firstAtMs: 1 }, { address: 5 }, null]
  assert.deepEqual(readHealth({ ...answer, untrustedForwarding: told }).untrustedForwarding, [
    { address: '192.0.2.1', header: 'x-real-ip' },
  ])
  assert.deepEqual(readHealth(answer).untrustedForwarding, [])
})
