import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHealth } from './hub-health.ts'

const MINUTE_MS = 60_000
const response = {
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

test('readHealth has a gap for missing minutes, and unknown values are not 0', () => {
  const { frame } = readHealth(response)
  assert.deepEqual([frame.fromMs, frame.toMs], [0, 10 * MINUTE_MS])
  assert.deepEqual(
    frame.times.map((at) => at / MINUTE_MS),
    [0, 1, 2, 5],
  )
  assert.deepEqual(frame.series.get('cpuPercent'), [1, 2, null, 4])
  assert.deepEqual(frame.series.get('databaseBytes'), [null, 4096, null, null])
  assert.equal(frame.series.get('agents'), undefined)
})

test('readHealth of an empty response is an empty frame', () => assert.deepEqual(readHealth(null).frame.times, []))

test('readHealth reads the senders of untrusted forwarding headers, and omits invalid entries', () => {
  const sent = [{ address: '192.0.2.1', header: 'x-real-ip', firstAtMs: 1 }, { address: 5 }, null]
  assert.deepEqual(readHealth({ ...response, untrustedForwarding: sent }).untrustedForwarding, [
    { address: '192.0.2.1', header: 'x-real-ip' },
  ])
  assert.deepEqual(readHealth(response).untrustedForwarding, [])
})
